/* Happens-before in which two writes are ordered only if the later one is seen.
 *
 * Two blind writes to the same bytes are *rivals* (access_rivals): they did not
 * look at what was there, and the later one leaves nothing of the other.  They
 * are ordered only if the later one is *seen*: if the next event that touches
 * some of its bytes is not a rival.  The next event is known at the end of an
 * execution, so the order is found there.  One pass finds the unseen writes.
 * Then the events are entered into a second trace, which knows them
 * (order_rules.unseen).
 *
 * Every event but a rival sees a write: a read, a read-modify-write, a
 * compare-and-swap whether it succeeds or not, and a write to fewer or to more
 * bytes, since the bytes that are left then depend on both writes.  Operations
 * on mutexes and their like read and write; they have no rivals.
 *
 * An atomic block is blind where it writes without having read, if that is one
 * place.  Two blocks that write several places blindly could be rivals in one
 * place and not in another, and reversing their race in the one would have to
 * leave the other as it is.  (tests/models/observed-twice: a sequence is then
 * redundant for one place, and the other place's order is lost with it.)
 *
 * A look (STEP_LOOK) sees as a read does, and so does one that is still held at
 * the end: writes to its place are never blind, so they are in one order.  What
 * comes of a look is known when it is taken, but with which event it races
 * depends on the order.  So all that it could race with is kept.
 *
 * Only the part of the second trace behind the first change is entered anew.
 */
#ifndef EXPLORE_OBSERVERS_OBSERVED_ORDER_H
#define EXPLORE_OBSERVERS_OBSERVED_ORDER_H

#include "core/trace.h"

/* keep */
struct observed_order {
  struct trace
      order; /* the second trace: the same events, touches and accesses */
  VEC(bool) unseen;  /* by event */
  VEC(bool) before;  /* the same, of the execution before */
  VEC(uint8_t) open; /* by touch: bytes that no later event has touched */
  VEC(struct observed_look {
    uint32_t look;  /* position of a look, ... */
    uint32_t write; /* ... and of a write before which it would have passed */
  })
  looks;            /* in rising order of look */
  uint32_t entered; /* the event that is being entered */
};

void observed_order_init(struct observed_order *);
void observed_order_free(struct observed_order *);

/* The newest event of the trace is a look: keeps trace.look.  Forgets looks at
 * positions that are not in the trace any more. */
void observed_order_look(struct observed_order *, const struct trace *);

/* Makes `order` that of the execution, as if it ended here.  If it was cut, as
 * if all writes that are still there were seen.  Its first `same` events have
 * not changed since the last time. */
void observed_order_find(struct observed_order *, const struct trace *,
                         size_t same, bool cut);

/* Checks the definition: `order` has the events of the trace, and two events
 * that conflict otherwise than as rivals are ordered as in the trace. */
void observed_order_check(const struct observed_order *, const struct trace *);

#endif
