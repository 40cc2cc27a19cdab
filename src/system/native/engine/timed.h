/* Timed waits in loops: see timed.c. */
#ifndef SYSTEM_NATIVE_ENGINE_TIMED_H
#define SYSTEM_NATIVE_ENGINE_TIMED_H

#include "engine.h"

/* The thread is about to wait for a condition, as it was when it last began to.
 * Has it only looked since that wait ended by time?  `at`: the thread, or its
 * first fields as they were saved before its last step. */
bool timed_goes_round(const struct thread *, const struct thread *at);

/* While a schedule is followed: is the step the beginning of a timed wait, or
 * its end by time?  (The search may have left out no rounds of timed waits.) */
bool timed_is_part(const struct record *);
/* Has the thread come round by this step, the beginning of a timed wait? */
bool timed_went_round(const struct thread *, const struct record *);

/* The step at hand begins a timed wait.  If its thread goes round, the search
 * begins anew with such rounds left out. */
void timed_begins(void);

/* The mutex by which threads wait on the condition variable, or NULL. */
void *timed_mutex(const void *condition);
/* The mutex is not to be left out of rounds. */
void timed_lock_is_ordinary(uint64_t mutex);
/* The running thread begins a timed wait. */
void timed_use(const void *condition, const void *mutex);

#endif
