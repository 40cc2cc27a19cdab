/* The futex system call: see futex.c. */
#ifndef SYSTEM_NATIVE_SYSCALLS_FUTEX_H
#define SYSTEM_NATIVE_SYSCALLS_FUTEX_H

#include <stdint.h>

/* As the system call with these arguments; sets errno. */
long futex_call(const long arguments[6], uint64_t pc);

#endif
