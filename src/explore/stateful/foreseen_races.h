/* The races of an execution with a future that is not run.
 *
 * When an execution is cut at a known state, the accesses of the future may
 * race with events of the execution.  foreseen_plan.h says what is to be tried
 * before such an event.
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

/* Does the event happen before all that the process does from now on? */
bool foreseen_knows(const struct foreseen *, uint32_t proc,
                    const struct event *);
/* Does the event happen before the access in every execution? */
bool foreseen_settled(const struct foreseen *, const struct future_access *,
                      const struct event *);

/* Is every event that conflicts with the access, one of the two not atomic,
 * ordered before it by synchronisation?  Then it is in no data race with one of
 * them.  False: that is not known. */
bool foreseen_in_order(struct foreseen *, const struct future_access *);

#endif
