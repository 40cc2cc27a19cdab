/* What is to be run to reverse a race, where two blind writes are ordered only
 * if the later one is seen (settle.h).
 *
 * For a race between e and e', v = notdep(e) . e'.  If the two are rivals, they
 * are ordered because of who sees e', and reversing them makes sense only
 * together with one who does: v = notdep(e) . e' . e . mid . o, where o is an
 * event that read what e' wrote and now reads what e wrote, and mid is what o
 * needs of what came after e.
 *
 * In context (context.h) events that depend on e' or e and need not come after
 * e may come anywhere in v, and what e' and e do depends on where: v has
 * several shapes.
 *
 *   paper               here
 *   E' = pre(E, e)      the first v.at events
 *   v                   v
 *   obs(e, e')          observers
 */
#ifndef CORE_DEMAND_H
#define CORE_DEMAND_H

#include "core/course.h"

/* Where the events that may come anywhere do. */
enum shape {
  SHAPE_LATE,  /* they come before e' */
  SHAPE_EARLY, /* after the observer, if they can */
  SHAPE_LAST,  /* before e, with all who write what e writes */
  SHAPE_TAKEN, /* as they were taken: rivals of e stay behind it */
};

/* keep */
struct demand {
  const struct trace *order; /* the settled one */
  const struct trace *taken; /* as the events were taken */
  bool by_context;
  struct course v;
  size_t known; /* so many items of v touch what their events touched */
  struct positions observers;
  enum shape shape;
  VEC(bool)
  after; /* scratch: events that come after e, with or without its
            rivals */
};

void demand_init(struct demand *, const struct trace *order,
                 const struct trace *taken, bool by_context);
void demand_free(struct demand *);

/* That e' comes before e.  What items of v after the first `known` touch can
 * only be found by running. */
void demand_of_race(struct demand *, uint32_t first, uint32_t second,
                    enum shape);

/* That the step at this position takes another alternative. */
void demand_of_choice(struct demand *, uint32_t at, uint32_t choice);

/* That all that can come before the step at this position does. */
void demand_of_postponing(struct demand *, uint32_t at);

/* That a process whose step was possible nowhere takes it before the event at
 * this position. */
void demand_of_pending(struct demand *, uint32_t at, uint32_t proc,
                       const struct step *);

/* Does the race rest on somebody who sees e'?  Of the last race. */
bool demand_observed(const struct demand *);

/* Are there events that depend on e' and, where e is before them, commute with
 * it?  See reversal.h. */
bool demand_has_two_orders(const struct demand *, uint32_t first,
                           uint32_t second);

#endif
