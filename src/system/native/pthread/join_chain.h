/* Joins that follow each other, as one step: see join_chain.c. */
#ifndef SYSTEM_NATIVE_PTHREAD_JOIN_CHAIN_H
#define SYSTEM_NATIVE_PTHREAD_JOIN_CHAIN_H

#include "system/native/engine/native.h"
#include "util/packed.h"

/* May the running thread's join of this thread be in one step with others?
 * `shows`: other threads may join or detach it, too. */
bool join_chain_allows(const struct thread *target, bool shows);

/* The thread that is joined next after this one, in the same step; or NULL. */
const struct thread *join_chain_next(const struct thread *);

/* The running thread joins this thread.  Is that part of the step at hand? */
bool join_chain_goes_on(const struct thread *target);

/* The step at hand has joined this thread, its first one. */
void join_chain_begins(const struct thread *target);

/* The step at hand has not joined the next thread. */
void join_chain_broken(void);

/* No thread can go on.  Could one join if it did not wait for others as well?
 */
bool join_chain_is_stuck(void);

/* The search begins anew, with the finest steps if it has gone on for long.  Is
 * that because of chains only?  Then no more are learnt, and if one was wrong,
 * there are none from now on: the steps need not be the finest. */
bool join_chain_restart(bool finest);

void join_chain_learnt(struct packed *);

#endif
