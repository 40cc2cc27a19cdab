/* What is to be run to reverse a race, where two blind writes are ordered only
 * if the later one is seen (settle.h).
 *
 * For a race between e and e', v = notdep(e) . e'.  If the two are rivals, they
 * are ordered because of who sees e', and reversing them makes sense only
 * together with one who does: v = notdep(e) . e' . e . mid . o, where o is an
 * event that read what e' wrote and now reads what e wrote, and mid is what o
 * needs of what came after e.
 *
 *   paper               here
 *   E' = pre(E, e)      the first v.at events
 *   v                   v
 *   obs(e, e')          observers
 */
#ifndef CORE_DEMAND_H
#define CORE_DEMAND_H

#include "core/course.h"

/* keep */
struct demand {
  const struct trace *order; /* the settled one */
  struct course v;
  size_t known; /* so many items of v touch what their events touched */
  struct positions observers;
};

void demand_init(struct demand *, const struct trace *order);
void demand_free(struct demand *);

/* That e' comes before e.  What items of v after the first `known` touch can
 * only be found by running. */
void demand_of_race(struct demand *, uint32_t first, uint32_t second);

/* That the step at this position takes another alternative. */
void demand_of_choice(struct demand *, uint32_t at, uint32_t choice);

/* That a process whose step was possible nowhere takes it before the event at
 * this position. */
void demand_of_pending(struct demand *, uint32_t at, uint32_t proc,
                       const struct step *);

/* Does the race rest on somebody who sees e'?  Of the last race. */
bool demand_observed(const struct demand *);

#endif
