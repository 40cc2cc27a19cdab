/* The races of an execution with a future that is not run.
 *
 * When an execution is cut at a known state, the accesses of the future may
 * race with events of the execution.  What else the sequence v = notdep(e) . e'
 * has is not known, so every process is to be tried before e.
 *
 * Whether an event happens before an access of the future follows from the
 * access's carriers (future.h): it does if one of them knows the event.
 */
#ifndef EXPLORE_STATEFUL_FORESEEN_RACES_H
#define EXPLORE_STATEFUL_FORESEEN_RACES_H

#include "core/search.h"
#include "explore/stateful/future.h"

struct foreseen {
  const struct explorer *x;
  const struct objects *objects;
};

/* Finds the events with which the access races. */
void foreseen_races(struct foreseen *, const struct future_access *,
                    struct positions *);

/* Is every event that conflicts with the access, one of the two not atomic,
 * ordered before it by synchronisation?  Then it is in no data race with one of
 * them.  False: that is not known. */
bool foreseen_in_order(struct foreseen *, const struct future_access *);

#endif
