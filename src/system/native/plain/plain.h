/* Running without a checker. */
#ifndef SYSTEM_NATIVE_PLAIN_PLAIN_H
#define SYSTEM_NATIVE_PLAIN_PLAIN_H

#include <stdbool.h>

bool running_plain(void);

/* One lock for everything that must be atomic and is no single instruction.
 * The thread that holds it may take it again. */
void plain_lock(void);
void plain_unlock(void);

#endif
