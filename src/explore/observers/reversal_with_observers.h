/* The sequence that reverses a race in the order of observed_order.h.
 *
 * For a race between e and e', v = notdep(e) . e'.  If the two are rivals, they
 * are ordered only because e' is seen, and reversing them makes sense only
 * together with an event that sees e'.  Then v = notdep(e) . e' . e . mid . o.
 * Here o is an event that read the write of e' and now reads the write of e,
 * and mid are the events after e that o needs.
 *
 *   paper               here
 *   E' = pre(E, e)      the first v.at events
 *   v                   v
 *   obs(e, e')          observers
 */
#ifndef EXPLORE_OBSERVERS_REVERSAL_WITH_OBSERVERS_H
#define EXPLORE_OBSERVERS_REVERSAL_WITH_OBSERVERS_H

#include "explore/observers/observed_sequence.h"

/* keep */
struct reversal_with_observers {
  const struct trace *order; /* that of observed_order.h */
  struct observed_sequence v;
  size_t known; /* so many items of v have the footprints of their events */
  struct positions observers;
};

void reversal_with_observers_init(struct reversal_with_observers *,
                                  const struct trace *order);
void reversal_with_observers_free(struct reversal_with_observers *);

/* v for e' before e.  The footprints of the items after the first `known` can
 * only be found by running them. */
void reversal_with_observers_of_race(struct reversal_with_observers *,
                                     uint32_t first, uint32_t second);

/* v for another alternative of the step at this position. */
void reversal_with_observers_of_choice(struct reversal_with_observers *,
                                       uint32_t at, uint32_t choice);

/* v for a process that waits at the end with this step, to be taken before the
 * event at this position. */
void reversal_with_observers_of_pending(struct reversal_with_observers *,
                                        uint32_t at, uint32_t proc,
                                        const struct step *);

/* Are e and e' of the last race ordered only because e' is seen? */
bool reversal_with_observers_is_observed(
    const struct reversal_with_observers *);

#endif
