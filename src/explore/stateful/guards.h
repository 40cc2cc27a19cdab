/* Which locks guard which data.
 *
 * Two accesses under one lock are never in a data race, and neither are two
 * atomic ones, or two of one process.  So as long as all accesses to a place
 * that were ever run were under one lock, or atomic, or of one process, it does
 * not matter who knows of them, and states need not tell (race_knowledge.h).
 * Whether a lock is held is part of a state: what is true of an access in the
 * future of a known state is true of it in the future of an equal one.
 *
 * Accesses of a process that is alone do not count: no other process has begun,
 * or all others have ended and were joined.  Such an access has an order with
 * all others, whatever the execution.
 *
 * If states were compared without a place, and then an access to it is found
 * that nothing guards, the search must begin anew (`lost`).
 */
#ifndef EXPLORE_STATEFUL_GUARDS_H
#define EXPLORE_STATEFUL_GUARDS_H

#include "explore/stateful/future.h"

/* keep */
struct guarded {
  uint64_t granule;
  uint64_t guards; /* locks, and GUARD_ATOMIC */
  uint64_t locks;  /* those that are here */
  uint32_t proc;   /* the process of all accesses; NOWHERE: none yet */
  bool shared;     /* there are several */
  bool relied;     /* states were compared without it */
};

/* keep */
struct guards {
  struct objects locks;
  uint64_t
      bad; /* locks that two processes held at once, that were unlocked by a
                   process that does not hold them once, or overwritten */
  VEC(struct guarded) list;
  struct table by_granule;
  unsigned losses;
  bool off;
  bool lost;
};

/* A process has taken a step. */
struct guards_step {
  uint64_t held;   /* the locks that it held before */
  uint64_t others; /* those that other processes hold */
  bool alone;
};

/* The locks that the process of the event holds after it. */
uint64_t guards_stepped(struct guards *, const struct trace *,
                        const struct event *, struct guards_step);
/* Is no access to the granule in a data race?  States rely on it. */
bool guards_cover(struct guards *, uint64_t granule);
/* The search begins anew.  What is not guarded stays so. */
void guards_begin_anew(struct guards *);
void guards_free(struct guards *);

#endif
