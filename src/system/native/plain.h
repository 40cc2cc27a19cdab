/* Running without a checker. */
#ifndef NATIVE_PLAIN_H
#define NATIVE_PLAIN_H

#include <stdbool.h>

bool running_plain(void);

struct hook_thread_local;
/* plain_threadlocal.c: the calling thread's copy. */
void *plain_thread_local(const struct hook_thread_local *);

/* One lock for all that must be atomic and is not by itself; may be taken again
 * by the thread that has it. */
void plain_lock(void);
void plain_unlock(void);

#endif
