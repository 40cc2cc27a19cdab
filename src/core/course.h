/* A sequence of steps that is to be run from an earlier state of the execution,
 * and what can begin it, where two blind writes are ordered only if the later
 * one is seen (settle.h).
 *
 * The first `at` events of the execution, then the items.  The order of the
 * items is that of this sequence alone: the next item that touches a byte may
 * be another one than in the execution.
 *
 *   paper                    here
 *   E' = pre(E, e)           the first `at` events
 *   v                        items
 *   p in WI_w(w'.v)          course_match(..., |w|) != MATCH_NOT
 *   v \ p                    course_take()
 *
 * Taking out an item that nothing in the sequence comes before leaves the order
 * of the others as it is: if it were the one to see an item, that one would
 * come before it; if it hid one from a later reader, it would itself be seen,
 * and the hidden one come before it.
 */
#ifndef CORE_COURSE_H
#define CORE_COURSE_H

#include "core/reversal.h"

/* keep */
struct item {
  struct option step;
  uint32_t
      position;   /* of its event in the trace, or NOWHERE: taken otherwise */
  uint32_t cause; /* 1 + position of what made it possible, or 0 */
  uint32_t next;  /* 1 + the process\'s item after this one, or 0 */
  bool taken;     /* out of the sequence */
};

/* keep */
struct course {
  const struct trace *trace;
  uint32_t at;
  VEC(struct item) items;
  VEC(struct {
    uint32_t first; /* 1 + item that is not taken, or 0 */
    uint32_t last;
  })
  processes;
};

void course_begin(struct course *, const struct trace *, uint32_t at);
void course_add_event(struct course *, uint32_t position);
void course_add(struct course *, struct item);

/* Keeps the first `count` items, of which none is taken. */
void course_cut(struct course *, size_t count);

/* All events after `first` that do not happen after it. */
void course_add_independent(struct course *, uint32_t first);

/* May the option, a step from the state after `from` (at most `at`) events,
 * come first in what follows: the events from there to `at` and the items?  If
 * so, *rests_on becomes at least the length of the prefix of the trace that the
 * answer rests on. */
enum match course_match(const struct course *, const struct option *,
                        uint32_t from, uint32_t *rests_on);

/* Takes the option, which matched first from `at`, out of the items. */
void course_take(struct course *, const struct option *);

/* Does something before the event at `position`, not earlier than `from`, come
 * before it in the execution up to `at`? */
bool course_waits(const struct course *, uint32_t from, uint32_t position);

void course_free(struct course *);

#endif
