/* What is to be tried because of the races of an execution with a future that
 * is not run.
 *
 * The execution was cut after the events E.  An event e of E races with an
 * access f of the future: a sequence u from there leads to f, and e does not
 * happen before f but for their conflict.  To reverse the race is to run
 * v = notdep(e, E.u).f at the node before e.  A process must be tried there
 * that can begin v: an initial.  u is not known, but
 *
 *   - the events K of E after e that do not happen after e are a beginning of
 *     v.  If there are any, an initial of K is one of v, and one is enough;
 *   - if there are none, v has only events of the future.  f's process is an
 *     initial, or another process that has an event before f in v.  Between
 *     that event and f is a chain of conflicts (or one event made the other
 *     possible), and no event on it happens after e.  All processes that a
 *     chain can begin with are tried.
 *
 * An atomic block f may touch something else if e is not before it, and then
 * depend on other events of v.  What is known to come before it is tried; else
 * its own process, which meets those events in races, and all with which a
 * chain can begin.  If e is a block, it is not enough to try an initial of K:
 * it must lead to f.
 *
 * docs/algorithms/stateful.md has the argument.
 */
#ifndef EXPLORE_STATEFUL_FORESEEN_PLAN_H
#define EXPLORE_STATEFUL_FORESEEN_PLAN_H

#include "explore/backtrack.h"
#include "explore/stateful/deciders.h"
#include "explore/stateful/foreseen_races.h"
#include "explore/stateful/known_states.h"

/* keep */
struct foreseen_race {
  uint32_t position; /* of e */
  const struct future_access *access;
};

/* keep.  An access of the future that may be in v before f. */
struct foreseen_link {
  uint64_t granule; /* or, of a cause, the process */
  uint32_t proc;
  uint8_t bytes; /* 0: a cause (WANTS_CAUSE) */
  uint8_t first; /* as in struct future_access */
  uint8_t last;
  bool writes;
};

/* keep.  A set of hashes. */
struct foreseen_places {
  uint64_t word[4];
};

/* keep */
struct foreseen_open {
  uint32_t position;
  struct foreseen_places touched; /* granules, by this event and those before it
                                     in the list */
};

struct foreseen_plan {
  struct foreseen foreseen;
  struct backtrack *b;
  struct deciders *deciders;
  /* Events before which a process could still be tried; others are in no race
   * that matters.  All of those, among the first `looked_at` events, that were
   * open when they were looked at; the last one still is.  An event that is not
   * open stays so. */
  VEC(struct foreseen_open) open;
  size_t looked_at;
  struct positions found;          /* scratch, as all below */
  VEC(struct foreseen_race) races; /* of the cut at hand */
  VEC(struct foreseen_link) links; /* of the event at hand */
  uint64_t unordered; /* processes that may have events in v before f */
  /* These processes have steps that may be on a chain to f: by process, 1 + the
   * number of steps up to the last of them. */
  uint64_t reached;
  uint32_t reach[64];
};

/* Plans the races of the execution at hand with this future. */
void foreseen_plan(struct foreseen_plan *, struct known_states *,
                   struct known_future);

/* The execution at hand is cut off: it has so many events. */
void foreseen_plan_truncate(struct foreseen_plan *, size_t length);

void foreseen_plan_free(struct foreseen_plan *);

#endif
