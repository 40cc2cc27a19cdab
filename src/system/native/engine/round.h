/* Rounds of loops that only look: see round.c. */
#ifndef SYSTEM_NATIVE_ENGINE_ROUND_H
#define SYSTEM_NATIVE_ENGINE_ROUND_H

#include "engine.h"

/* May the step, which is about to be taken, be part of a round that changes
 * nothing? */
bool round_goes_on(const struct record *);
/* It turned out only to read. */
void round_only_reads(void);
/* The running thread changes something, or learns what cannot be seen. */
static inline void round_changes(void) {
  if (self)
    self->rounds = 0;
}

/* Is the pending operation of the thread, which is paused, a look (STEP_LOOK)?
 * Is it disabled? */
bool round_looks(const struct thread *);
bool round_holds(struct thread *);

/* What comes of a look, as things are. */
enum look round_look(struct thread *);
/* The same, if the object were as it was before the step at this position. */
enum look round_look_before(struct thread *, size_t position);

/* After a step: does it write a part of a place that loops look at? */
void round_written(const struct record *);

/* A step was taken; steps were taken back. */
void round_stepped(const struct record *);
void round_undo(size_t depth);

#endif
