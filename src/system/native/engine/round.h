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

/* May the pending operation of the thread, which is paused, end a round? */
bool round_may_end(const struct thread *);

/* Of a thread that waits to end a round: has another thread changed something
 * since the thread looked at it in that round, or in one that led there? */
bool round_is_stale(const struct thread *);

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
