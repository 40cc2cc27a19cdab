/* The runtime's own system calls.
 *
 * A program may define functions named open, mmap or close.  The dynamic loader
 * then binds every use of the name to them, also those of the runtime.  So the
 * runtime uses no name that a program may define (real.map).
 */
#define _GNU_SOURCE
#include "real_system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#if defined __x86_64__
static long enter_kernel(long number, const long a[6]) {
  long result;
  register long a3 __asm__("r10") = a[3];
  register long a4 __asm__("r8") = a[4];
  register long a5 __asm__("r9") = a[5];
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(a3),
                     "r"(a4), "r"(a5)
                   : "rcx", "r11", "memory");
  return result;
}
#elif defined __aarch64__
static long enter_kernel(long number, const long a[6]) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a[0];
  register long x1 __asm__("x1") = a[1];
  register long x2 __asm__("x2") = a[2];
  register long x3 __asm__("x3") = a[3];
  register long x4 __asm__("x4") = a[4];
  register long x5 __asm__("x5") = a[5];
  __asm__ volatile("svc #0"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                   : "memory");
  return x0;
}
#else
#error "how are system calls made on this processor?"
#endif

/* The kernel's errors are the numbers from -4095 to -1. */
static long ask_kernel(long number, const long a[6]) {
  long result = enter_kernel(number, a);
  if (result >= 0 || result < -4095)
    return result;
  errno = (int)-result;
  return -1;
}

#define ASK(number, ...) ask_kernel(number, (const long[6]){__VA_ARGS__})

long heddle_real_syscall(long number, ...) {
  long a[6];
  va_list list;
  va_start(list, number);
  for (int i = 0; i < 6; i++)
    a[i] = va_arg(list, long);
  va_end(list);
  return ask_kernel(number, a);
}

int heddle_real_open(const char *path, int flags, ...) {
  return (int)ASK(SYS_openat, AT_FDCWD, (intptr_t)path, flags);
}

int heddle_real_close(int file) {
  return (int)ASK(SYS_close, file);
}

ssize_t heddle_real_pread(int file, void *to, size_t size, off_t from) {
  return ASK(SYS_pread64, file, (intptr_t)to, (long)size, from);
}

int heddle_real_fstat(int file, struct stat *to) {
  return (int)ASK(SYS_fstat, file, (intptr_t)to);
}

ssize_t heddle_real_readlink(const char *path, char *to, size_t size) {
  return ASK(SYS_readlinkat, AT_FDCWD, (intptr_t)path, (intptr_t)to,
             (long)size);
}

void *heddle_real_mmap(void *addr, size_t size, int protection, int flags,
                       int file, off_t from) {
  return (void *)ASK(SYS_mmap, (intptr_t)addr, (long)size, protection, flags,
                     file, from);
}

int heddle_real_mprotect(void *addr, size_t size, int protection) {
  return (int)ASK(SYS_mprotect, (intptr_t)addr, (long)size, protection);
}

int heddle_real_madvise(void *addr, size_t size, int advice) {
  return (int)ASK(SYS_madvise, (intptr_t)addr, (long)size, advice);
}

int heddle_real_sigaltstack(const stack_t *stack, stack_t *old) {
  return (int)ASK(SYS_sigaltstack, (intptr_t)stack, (intptr_t)old);
}

int heddle_real_sigemptyset(sigset_t *set) {
  memset(set, 0, sizeof *set);
  return 0;
}
