/* What the second event of a race touches when it comes before the first.
 *
 * A compare-and-swap may succeed in one order and fail in the other.  If e
 * wrote all that it tests, nothing else in v touches that, and the system can
 * tell.  If e wrote only a part of it, v may have writes of the rest, which
 * decide as well, and reads of it, which come before e' only if that succeeds:
 * it is run.  So is an atomic block, which may touch other variables.  Both
 * ways leave what they found out in the reversal's `late`, whose accesses then
 * lie in the footprint. */
#ifndef CORE_LATE_H
#define CORE_LATE_H

#include "core/explore.h"
#include "core/reversal.h"

/* keep */
struct late_footprint {
  VEC(struct access) list;
};

/* Must the second event of a race be run to find out what it touches when it
 * comes before the first?  Who can begin v is not known, either, as long as it
 * has not been run. */
bool late_must_run(const struct trace *, uint32_t first, uint32_t second);

/* If not, and it is a compare-and-swap or trylock: does it write if it comes
 * before the one at `first`, which now precedes it? */
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
