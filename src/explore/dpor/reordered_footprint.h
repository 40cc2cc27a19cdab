/* The footprint of the second event of a race, e', when it comes before the
 * first, e.
 *
 * A compare-and-swap may succeed in one order and fail in the other.  If e
 * wrote all the tested bytes, nothing else in v touches them, and the system
 * can tell the result.  If e wrote only some of them, v may have writes of the
 * others, on which the result depends, and reads of them, which come before e'
 * only if it succeeds.  If e is an update of a kind (ACCESS_KIND), v may have
 * more of the kind.  Then e' is run.  So is an atomic block, which may touch
 * other variables.  In both cases the reversal's `last` gets the new footprint,
 * and `cause` what made e' possible there: a thread that a signal does not
 * interrupt takes another step, with a cause of its own.
 */
#ifndef EXPLORE_DPOR_REORDERED_FOOTPRINT_H
#define EXPLORE_DPOR_REORDERED_FOOTPRINT_H

#include "core/search.h"
#include "explore/dpor/reversal.h"

/* keep */
struct reordered_footprint {
  VEC(struct access) list;
  uint16_t op; /* of an e' that was run: without e no signal may have come that
                  is handled first */
};

/* Must e' be run to find out what it touches when it comes before e?  Until
 * then the initials of v are not known, either. */
bool reordered_must_run(const struct trace *, uint32_t first, uint32_t second);

/* If not, and e' is a compare-and-swap or trylock: finds out whether it writes
 * when it comes before e. */
void reordered_conditional(struct explorer *, struct reversal *, uint32_t first,
                           uint32_t second, struct reordered_footprint *);

/* If e' is a look: its footprint as found out before it was taken. */
void reordered_look(struct reversal *, const struct race *,
                    struct reordered_footprint *);

/* Runs e' at its place in v.  The system is at the node before e, and is left
 * there. */
void reordered_run(struct explorer *, struct reversal *,
                   struct reordered_footprint *);

/* Races whose e' must be run.  For each of them, later nodes first,
 * reordered_visit() takes the system to the node before e and calls `reverse`.
 * Then it takes the system to the end of the trace. */
struct reordered_races {
  VEC(struct race) list;
};
void reordered_visit(struct explorer *, struct reordered_races *,
                     void (*reverse)(void *, const struct race *),
                     void *context);

#endif
