/* Critical sections in which a loop only looks: see polling.c. */
#ifndef SYSTEM_NATIVE_ENGINE_POLLING_H
#define SYSTEM_NATIVE_ENGINE_POLLING_H

#include "engine.h"

/* May the pending operation of the thread, which is paused, begin a critical
 * section in vain? */
bool polling_may_begin(const struct thread *);

/* Is the step of t, which is about to be taken, the lock or the unlock of a
 * critical section that may be part of a round in vain?  Takes note of it. */
bool polling_passes(struct thread *t, const struct record *);

/* The step that took the innermost lock of the section that the thread is in,
 * or 0. */
uint32_t polling_innermost(const struct thread *);

/* The thread came round: its steps since then (thread.last_step at that time)
 * could be left out.  May they really, as far as locks are concerned? */
bool polling_relies(const struct thread *, uint32_t since);

/* In a trial, after a step of t in a critical section that failed: does the
 * thread unlock and come back to where it was before it locked?  Takes the
 * step, and relies on it. */
bool polling_backs_off(struct thread *t);
/* At the end of an execution, with threads that are held: would they wait, and
 * the others as well, if those gave their locks back first? */
bool polling_ends_stuck(void);

/* What comes of the critical section of t that begins with its pending lock? */
enum look polling_look(struct thread *t);
/* The same, if all that it reads were as it was before the step at this
 * position. */
enum look polling_look_before(struct thread *t, size_t position);

/* Is the lock at addr an ordinary one, as other threads use it? */
bool polling_is_ordinary(uint64_t addr);

/* Does the last step happen after all that the other threads do? */
bool polling_comes_last(const struct record *);

/* After a step: could a thread have noticed what the rule leaves out? */
void polling_stepped(const struct record *);

#endif
