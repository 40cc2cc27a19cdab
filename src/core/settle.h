/* Happens-before where the order of two writes matters only if somebody sees
 * the later one.
 *
 * Two blind writes to the same place are *rivals* (access_rivals): they did not
 * look at what was there, and whichever comes later leaves nothing of the
 * other. They are ordered only if the later one is *seen*: the next event that
 * touches some of its bytes is not a rival.  Who comes next is known at the end
 * of an execution, so the order is settled there: one pass finds the writes
 * that nobody saw, then the events are entered again into a second trace, which
 * knows them (trace.unseen).
 *
 * Who sees: everybody but a rival.  A read, a read-modify-write, a
 * compare-and-swap whether it succeeds or not, and a write to some of the bytes
 * only, or to more: what is left then depends on both.  Operations on mutexes
 * and their like read and write; they are nobody's rivals.
 *
 * An atomic block is blind where it writes without having read, if that is one
 * place: blocks that write several places blindly could be each other's rivals
 * in one and not in another, and reversing the race in one would have to be
 * done without doing it in the other.  (tests/models/observed-twice: a sequence
 * is then redundant for one place, and the other place's order is lost with
 * it.)
 *
 * Of the second trace only what lies behind the first change is entered anew.
 */
#ifndef CORE_SETTLE_H
#define CORE_SETTLE_H

#include "core/trace.h"

/* keep */
struct settled {
  struct trace order; /* the same events, touches and accesses */
  VEC(bool) unseen;   /* by event */
  VEC(bool) before;   /* the same, the last time */
  VEC(uint8_t) open;  /* by touch: bytes that nobody has touched since */
};

void settled_init(struct settled *);
void settled_free(struct settled *);

/* Makes `order` that of the execution, as if it ended here or, if it was cut,
 * as if all that is left were seen.  Its first `same` events have not changed
 * since the last time. */
void settle(struct settled *, const struct trace *, size_t same, bool cut);

#endif
