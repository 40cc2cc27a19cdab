/* Cancellation of threads: see cancel.c. */
#ifndef SYSTEM_NATIVE_PTHREAD_CANCEL_H
#define SYSTEM_NATIVE_PTHREAD_CANCEL_H

#include "system/native/engine/native.h"

/* May the running thread be cancelled at a cancellation point? */
bool cancel_possible(void);

/* Announces the operation, at a cancellation point.  True: the thread has been
 * cancelled, and the operation is not done; cancel_act() follows. */
bool cancel_visible(struct operation *);

/* As part of a step: has the running thread been cancelled? */
bool cancel_pending(void);

/* The running thread ends: cleanup handlers run first. */
_Noreturn void cancel_act(void);

/* A cancellation point that does not wait, a step of its own. */
void cancel_test(uint64_t pc);

#endif
