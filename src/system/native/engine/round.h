/* Rounds of loops that only look: see round.c. */
#ifndef SYSTEM_NATIVE_ENGINE_ROUND_H
#define SYSTEM_NATIVE_ENGINE_ROUND_H

#include "engine.h"

/* A step of the thread is about to be taken: may it be part of a round that
 * changes nothing? */
void round_step(struct thread *, struct record *);
/* Does the operation of the step only read? */
bool round_goes_on(const struct record *);
/* It turned out only to read. */
void round_only_reads(void);
/* The running thread changes more than its own memory, or learns what cannot be
 * seen. */
static inline void round_changes(void) {
  engine.changes++;
  if (self)
    self->rounds = self->section = 0;
}

/* Steps of a thread that are taken to find out where they lead, and are taken
 * back. */
struct trial {
  size_t depth;
  bool watched;
};
void trial_begin(struct trial *, struct thread *);
void trial_end(const struct trial *);

/* May the pending operation of the thread, which is paused, end a round? */
bool round_may_end(const struct thread *);

/* What comes of that operation, which may end a round, as things are. */
enum look round_look(struct thread *);
/* The same, if the object were as it was before the step at this position. */
enum look round_look_before(struct thread *, size_t position);

/* After a step: does it write a part of a place that loops look at? */
void round_written(const struct record *);

/* A step was taken; steps were taken back. */
void round_stepped(const struct record *);
void round_undo(size_t depth);

#endif
