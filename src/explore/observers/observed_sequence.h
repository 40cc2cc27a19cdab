/* A sequence of steps that is to be run from an earlier state of the execution,
 * and what can begin it, in the order of observed_order.h.
 *
 * The sequence is the first `at` events of the execution, then the items.  The
 * order of the items follows from this sequence alone: the next item that
 * touches a byte may be another one than in the execution.
 *
 *   paper                    here
 *   E' = pre(E, e)           the first `at` events
 *   v                        items
 *   p in WI_w(w'.v)          observed_sequence_match(..., |w|) != MATCH_NOT
 *   v \ p                    observed_sequence_take()
 *
 * Taking out an item that no other item comes before leaves the order of the
 * others as it is.  If the item were the one that sees a write, that write
 * would come before it.  If it hid a write from a later reader, it would be
 * seen itself, and the hidden write would come before it.
 */
#ifndef EXPLORE_OBSERVERS_OBSERVED_SEQUENCE_H
#define EXPLORE_OBSERVERS_OBSERVED_SEQUENCE_H

#include "explore/dpor/reversal.h"

/* keep */
struct observed_sequence_item {
  struct option step;
  uint32_t position; /* of its event in the trace; NOWHERE if it is not in the
                        trace */
  uint32_t cause;    /* 1 + position of the event that made it possible, or 0 */
  uint32_t next;     /* 1 + the next item of its process, or 0 */
  bool taken;        /* taken out of the sequence */
};

/* keep */
struct observed_sequence {
  const struct trace *trace;
  uint32_t at;
  VEC(struct observed_sequence_item) items;
  VEC(struct {
    uint32_t first; /* 1 + item that is not taken, or 0 */
    uint32_t last;
  })
  processes;
};

void observed_sequence_begin(struct observed_sequence *, const struct trace *,
                             uint32_t at);
void observed_sequence_add_event(struct observed_sequence *, uint32_t position);
void observed_sequence_add(struct observed_sequence *,
                           struct observed_sequence_item);

/* Keeps the first `count` items, of which none is taken. */
void observed_sequence_cut(struct observed_sequence *, size_t count);

/* All events after `first` that do not happen after it. */
void observed_sequence_add_independent(struct observed_sequence *,
                                       uint32_t first);

/* May the option, a step from the state after `from` (at most `at`) events,
 * come first in the rest: the events from there to `at` and the items?  If so,
 * *rests_on becomes at least the length of the prefix of the trace on which the
 * answer depends. */
enum match observed_sequence_match(const struct observed_sequence *,
                                   const struct option *, uint32_t from,
                                   uint32_t *rests_on);

/* Takes the option, which matched first from `at`, out of the items. */
void observed_sequence_take(struct observed_sequence *, const struct option *);

/* Must an event from position `from` on come before the event at `position`, in
 * the execution up to `at`? */
bool observed_sequence_waits(const struct observed_sequence *, uint32_t from,
                             uint32_t position);

void observed_sequence_free(struct observed_sequence *);

#endif
