/* Rounds of loops that only look: see round.c. */
#ifndef SYSTEM_NATIVE_ENGINE_ROUND_H
#define SYSTEM_NATIVE_ENGINE_ROUND_H

#include "engine.h"

/* A loop whose values did not return in so many rounds may never wait. */
enum { MOST_COMPARED = 8 };

/* A step of the thread is about to be taken: may it be part of a round that
 * changes nothing? */
void round_step(struct thread *, struct record *);
/* Does the operation of the step only read? */
bool round_goes_on(const struct record *);
/* The same of the last step, which may be an update that left the old value. */
bool round_went_on(const struct record *);
/* The step turned out only to read. */
void round_only_reads(struct thread *);
/* The thread has updated a place.  If that changed nothing, the step only read.
 */
void round_settle(struct thread *);
/* The running thread changes more than its own memory, or learns what cannot be
 * seen. */
static inline void round_changes(void) {
  engine.changes++;
  engine.unsettled = false;
  if (self) {
    self->rounds = self->section = 0;
    self->changed = step_now();
  }
}

/* Steps of a thread that are taken to find out where they lead, and are taken
 * back. */
struct trial {
  size_t depth;
  bool watched;
};
void trial_begin(struct trial *, struct thread *);
void trial_end(const struct trial *);

/* Is the pending operation of the thread, which is paused, a look (STEP_LOOK)?
 */
bool round_is_look(const struct thread *);
static inline bool round_looks(const struct thread *t) {
  const struct operation *op = t->pending;
  return unlikely(t->rounds || op->carried || op->timed) && round_is_look(t);
}

/* A look was found to be held: says so if it is only by --loops=collapse. */
void round_tell_left_out(void);

/* Of a thread that waits to end a round: has another thread changed something
 * since the thread looked at it in that round, or in one that led there? */
bool round_is_stale(const struct thread *);

/* What comes of a look, as things are.  Is it disabled? */
enum look round_look(struct thread *);
static inline bool round_holds(struct thread *t) {
  return round_looks(t) && round_look(t) == LOOK_HELD;
}
/* What its step is if the operation behind it is part of it (retry.c), or
 * OP_NONE. */
enum op round_joint(struct thread *);
/* The same, if the object were as it was before the step at this position. */
enum look round_look_before(struct thread *, size_t position);

/* After a step: does it write a part of a place that loops look at? */
void round_written(const struct record *);

/* Two rounds of one loop that begin with the same values? */
bool round_same(const struct round *, const struct round *);

/* Is there code of which it is not seen what it does? */
bool round_is_blind(void);

/* A step was taken; steps were taken back. */
void round_stepped(const struct record *);
void round_undo(size_t depth);

#endif
