/* Joins that follow each other, as one step: see join_chain.c. */
#ifndef SYSTEM_NATIVE_PTHREAD_JOIN_CHAIN_H
#define SYSTEM_NATIVE_PTHREAD_JOIN_CHAIN_H

#include "system/native/engine/engine.h"
#include "system/native/engine/timekeeping.h"
#include "util/packed.h"

/* keep: by the number of the joined thread, that of the next one, or one of
 * these. */
enum { JOIN_UNKNOWN, JOIN_NONE = UINT32_MAX };
extern uint32_t join_chain_next[NATIVE_THREADS];

/* keep: there are no chains any more. */
extern bool join_chain_given_up;

/* May the running thread's join of this thread be in one step with others?
 * `shows`: other threads may join or detach it, too. */
static inline bool join_chain_allows(const struct thread *target, bool shows) {
  return engine.gathers && !engine.finest && !shows && target->id &&
         !self->atomic_depth && !join_chain_given_up &&
         !(step_extras & (EXTRA_SIGNALS | EXTRA_CANCELS));
}

/* The step at hand has joined this thread. */
static inline void join_chain_follow(uint32_t id) {
  uint32_t next = join_chain_next[id];
  engine.joined = id;
  engine.to_join = next == JOIN_NONE ? 0 : next;
}

void join_chain_learn(uint32_t before, uint32_t id);

/* The running thread joins this thread.  Is that part of the step at hand? */
static inline bool join_chain_goes_on(uint32_t id) {
  if (engine.to_join == id) {
    join_chain_follow(id);
    return true;
  }
  if (engine.joined && !engine.to_join)
    join_chain_learn(engine.joined, id);
  return false;
}

/* Can this thread be joined, and all that are joined in the same step? */
bool join_chain_has_ended(const struct thread *);

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
