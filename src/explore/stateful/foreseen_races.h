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

/* keep.  What was found out about a process or an object where an execution
 * was cut: the positions of the events of which it knows, or NOWHERE. */
struct standing {
  uint64_t cut;   /* the number of the cut */
  uint32_t last;  /* the last event of the process, the last write */
  uint32_t cause; /* the event that makes the next step possible */
};

struct foreseen {
  const struct explorer *x;
  const struct objects *objects;
  uint64_t cut;
  VEC(struct standing) processes;
  VEC(struct standing) writes; /* by the numbers of objects */
};

/* To be called where an execution is cut, before the functions below. */
void foreseen_begin(struct foreseen *);
void foreseen_free(struct foreseen *);

/* Finds the events with which the access races.  Where `planned` says that
 * nothing can be added before the event, the event may be found without
 * being in a race. */
void foreseen_races(struct foreseen *, const struct future_access *,
                    bool (*planned)(const void *, uint32_t position),
                    const void *context, struct positions *);

/* Does the event happen before all that the process does from now on? */
bool foreseen_knows(struct foreseen *, uint32_t proc, const struct event *);
/* Does the event happen before the access in every execution? */
bool foreseen_settled(struct foreseen *, const struct future_access *,
                      const struct event *);

/* Is every event that conflicts with the access, one of the two not atomic,
 * ordered before it by synchronisation?  Then it is in no data race with one of
 * them.  False: that is not known. */
bool foreseen_in_order(struct foreseen *, const struct future_access *);

#endif
