/* The time that each thread sees.
 *
 * A thread's time advances when the thread asks for it and when it sleeps, and
 * is independent of what other threads do at the same time.  It never runs
 * backwards along happens-before: an atomic write leaves the writer's time with
 * the value, and a thread that reads the value goes on no earlier than that.
 * Primitives, thread creation and join do the same.  A wait that ended by time
 * is over at its deadline, not before.  So time is a function of the partial
 * order, as values are, and asking for it is no event.
 */
#ifndef SYSTEM_NATIVE_ENGINE_TIMEKEEPING_H
#define SYSTEM_NATIVE_ENGINE_TIMEKEEPING_H

#include <time.h>

#include "system/native/verify/fingerprint.h"
#include "native.h"

/* In nanoseconds, as the program sees them when its time begins. */
#define BEGIN_REAL UINT64_C(946684800000000000) /* 2000-01-01 00:00:00 */
#define BEGIN_MONOTONIC UINT64_C(1000000000000)

/* keep: what a step has to do besides.  EXTRA_TIME: some thread asked for the
 * time or slept.  Until then all times are 0, and there is nothing to carry.
 * EXTRA_SIGNALS: see interrupt.h.  EXTRA_CANCELS: a thread was seen to cancel
 * another.  EXTRA_STARTS: a thread that signals may interrupt was stopped
 * before its first step: the beginning of each thread is a step.
 * EXTRA_STREAMS: the program calls flockfile(): each use of a stream locks it.
 * EXTRA_CLOCK: some thread asked for the time, not only to make a deadline.
 * Until then it makes no difference.  EXTRA_DEFAULTS: the program sets default
 * attributes of threads: each creation without attributes reads them. */
extern uint32_t step_extras;
enum {
  EXTRA_TIME = 1,
  EXTRA_SIGNALS = 2,
  EXTRA_CANCELS = 4,
  EXTRA_STARTS = 8,
  EXTRA_STREAMS = 16,
  EXTRA_CLOCK = 32,
  EXTRA_DEFAULTS = 64,
};
#define time_in_use (step_extras & EXTRA_TIME)

#define time_was_asked (step_extras & EXTRA_CLOCK)

/* The running thread's time in nanoseconds since the beginning.  The call
 * itself takes a millisecond. */
uint64_t time_ask(void);

/* The running thread calls a function that tells the time.  Does it only make a
 * deadline of it (cc/instrument/deadline.c)? */
bool time_makes_deadline(void);
/* As time_ask.  As long as all that the program does with the time is to make
 * deadlines, none of them shows: they are all made at the beginning. */
uint64_t time_ask_for(bool deadline);

/* prog: one for each thread, by its number. */
struct thread_time {
  uint64_t asked;    /* how often the thread asked */
  uint64_t slept_ns; /* how long it slept */
  uint64_t heard_ns; /* how much it advanced to catch up with other threads */
};
extern struct thread_time thread_times[NATIVE_THREADS];

/* In nanoseconds since the beginning. */
uint64_t time_of_thread(const struct thread *);

/* The running thread sleeps.  Inline: loops that wait are found by comparing
 * stacks, and deeper frames would leave more behind. */
static inline void time_pass(uint64_t nanoseconds) {
  struct thread_time *t = &thread_times[self ? self->id : 0];
  step_extras |= EXTRA_TIME;
  SET(t->slept_ns, t->slept_ns + nanoseconds);
}

/* The running thread waited until then in vain.  Whose clock it is shows: real
 * time begins far behind all monotonic times. */
void time_reach(const struct timespec *deadline);

/* The second thread goes on no earlier than the first is now. */
void time_carry_in_use(const struct thread *from, const struct thread *to);
static inline void time_carry(const struct thread *from,
                              const struct thread *to) {
  if (time_in_use)
    time_carry_in_use(from, to);
}

/* Before and after an operation: a value that is read carries its time to the
 * thread, a value that is written gets the thread's time.  `failed`: the
 * operation wrote nothing. */
void time_begin(const struct thread *, const struct operation *);
void time_end(bool failed);

/* Is it part of the times, which show only when a thread asks for the time? */
bool time_is_kept_at(const void *);

/* Back to the beginning, for --rollback=replay; times of threads are PROG. */
void time_reset(void);
void time_digest(struct state_digest *);

#endif
