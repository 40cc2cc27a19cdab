/* What only a native program has: how its steps look in a schedule that a new
 * process replays, and in a report.  The rest is in core/system.h.
 *
 * A search may have taken accesses for local code and made them part of the
 * previous step (system_ops.hidden).  In a replay each is a step, so a schedule
 * has the number of such accesses and the threads that began meanwhile.
 */
#ifndef SYSTEM_NATIVE_ENGINE_NATIVE_REPLAY_H
#define SYSTEM_NATIVE_ENGINE_NATIVE_REPLAY_H

#include "core/system.h"
#include "core/wire.h"

/* MOVE_SIGNALS, MOVE_CANCELS and MOVE_MISSES, as they hold now; a schedule that
 * is to be replayed says that they do.  Before the first step. */
uint32_t native_steps_learnt(void);
void native_learn_steps(uint32_t flags);

/* The number of hidden accesses of a thread before its first step. */
uint32_t native_hidden_first(uint32_t thread);

/* The number of the nth thread (from 0) that was created in the step at this
 * position; false if there were fewer. */
bool native_created(size_t position, uint32_t nth, uint32_t *thread);

/* Did the step at this position end the process, or its thread because the
 * process had ended?  No step of another thread depends on it. */
bool native_is_end(size_t position);

/* Was the thread stopped by --loop-bound? */
bool native_is_stopped(uint32_t thread);

/* At the end of a schedule that leads to a livelock: from now on, loops that go
 * round for ever wait.  False: it is not known whether a loop does. */
bool native_settle(void);

/* The files of --show-file as they are. */
const char *native_files(size_t *length);

/* At the end of a schedule that leads to a deadlock or livelock: the threads
 * that could go on were stopped by --loop-bound, or the search has seen that
 * they go on for ever, and let no other one move. */
void native_stop_the_rest(void);

/* Sends the last step, for people: value, heap block, ...  `local`: it is no
 * step of its own in the search. */
void native_send_step(bool local, bool preempts);
void native_describe_thread(struct system *, unsigned thread,
                            struct wire_thread *);

/* The key of the thread's next event: see wire_step.key; 0: it has none. */
uint32_t native_next_key(unsigned thread);

/* Where the thread's next operation stands in the program. */
uint64_t native_next_pc(unsigned thread);

/* Sends where the thread stands. */
void native_send_stand(unsigned thread);

#endif
