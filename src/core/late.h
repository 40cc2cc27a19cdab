/* What the second event of a race touches when it comes before the first.
 *
 * A compare-and-swap may succeed in one order and fail in the other: the system
 * can tell.  An atomic block may touch other variables: it is run.  Both leave
 * what they found out in the reversal's `late`, whose accesses then lie in the
 * footprint. */
#ifndef CORE_LATE_H
#define CORE_LATE_H

#include "core/explore.h"
#include "core/reversal.h"

/* keep */
struct late_footprint {
  VEC(struct access) list;
};

/* The event at `second` is a compare-and-swap or trylock: does it write if it
 * comes before the one at `first`, which now precedes it? */
void late_conditional(struct explorer *, struct reversal *, uint32_t first,
                      uint32_t second, struct late_footprint *);

/* Runs e' where it stands in v.  The system is at the node before e, and is
 * left there. */
void late_run(struct explorer *, struct reversal *, struct late_footprint *);

/* For all races of the list, those at later nodes first: takes the system to
 * the node before e and calls `reverse`, then to the end of the trace. */
struct late_races {
  VEC(struct race) list;
};
void late_visit(struct explorer *, struct late_races *,
                void (*reverse)(void *, const struct race *), void *context);

#endif
