/* A program that is not checked: it runs as if clang had built it, on real
 * threads.  Interposed functions lead past the runtime to the C library
 * (external.c), and hooks return at once.  This file has the rest: the
 * functions of heddle.h and SV-COMP, and those that the C library does not
 * export, because each object that calls them has a copy.
 *
 * A choice is always the first, and an assumption that does not hold ends the
 * program quietly.  Atomic blocks exclude each other.
 */
#define _GNU_SOURCE
#include "plain.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "system/native/engine/engine.h"
#include "system/native/base/real.h"

/* ---- which kind of run --------------------------------------------------- */

/* May be called before libc is ready, so it reads the environment itself. */
bool running_plain(void) {
  static int known; /* 1: no, 2: yes */
  size_t length = strlen(WIRE_ENV);
  if (known)
    return known == 2;
  if (!environ)
    return true; /* the loader's own calls; ask again */
  known = 2;
  for (char **at = environ; *at; at++)
    if (!strncmp(*at, WIRE_ENV, length) && (*at)[length] == '=')
      known = 1;
  return known == 2;
}

/* Before the program's own constructors. */
__attribute__((constructor(101))) static void begin(void) {
  if (running_plain())
    engine.mode = MODE_PLAIN;
}

/* ---- a lock -------------------------------------------------------------- */

static int owner; /* thread number of the kernel; 0: free */
static unsigned depth;

void plain_lock(void) {
  int me = (int)syscall(SYS_gettid), nobody = 0;
  if (__atomic_load_n(&owner, __ATOMIC_RELAXED) == me) {
    depth++;
    return;
  }
  while (!__atomic_compare_exchange_n(&owner, &nobody, me, false,
                                      __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
    nobody = 0;
    syscall(SYS_sched_yield);
  }
  depth = 1;
}

void plain_unlock(void) {
  if (--depth == 0)
    __atomic_store_n(&owner, 0, __ATOMIC_RELEASE);
}

#define PLAIN(type, name, ...)           \
  type heddle_plain_##name(__VA_ARGS__); \
  type heddle_plain_##name(__VA_ARGS__)

/* ---- libc_nonshared.a ---------------------------------------------------- */

/* Each registers the object that asks with the function: when the object is
 * unloaded, its functions go. */
int __cxa_atexit(void (*)(void *), void *, void *);
int __cxa_at_quick_exit(void (*)(void *), void *);
int __register_atfork(void (*)(void), void (*)(void), void (*)(void), void *);
extern void *__dso_handle __attribute__((weak, visibility("hidden")));

static void *this_object(void) {
  return &__dso_handle ? __dso_handle : NULL;
}

PLAIN(int, atexit, void (*function)(void)) {
  return __cxa_atexit((void (*)(void *))(void *)function, NULL, this_object());
}

PLAIN(int, at_quick_exit, void (*function)(void)) {
  return __cxa_at_quick_exit((void (*)(void *))(void *)function, this_object());
}

PLAIN(int, pthread_atfork, void (*prepare)(void), void (*parent)(void),
      void (*child)(void)) {
  return __register_atfork(prepare, parent, child, this_object());
}

/* ---- heddle.h and SV-COMP ------------------------------------------------ */

PLAIN(void, atomic_begin, void) {
  plain_lock();
}

PLAIN(void, atomic_end, void) {
  plain_unlock();
}

PLAIN(void, __VERIFIER_atomic_begin, void) {
  plain_lock();
}

PLAIN(void, __VERIFIER_atomic_end, void) {
  plain_unlock();
}

static void end_quietly(void) {
  void (*leave)(int) = (void (*)(int))real_lookup("exit");
  leave(0);
}

PLAIN(void, assume, bool holds) {
  if (!holds)
    end_quietly();
}

PLAIN(void, __VERIFIER_assume, int holds) {
  if (!holds)
    end_quietly();
}

static _Noreturn void stop(const char *text) {
  dprintf(2, "%s\n", text);
  void (*leave)(void) = (void (*)(void))real_lookup("abort");
  leave();
  __builtin_unreachable();
}

PLAIN(_Noreturn void, fail, const char *text) {
  stop(text ? text : "heddle_fail");
}

PLAIN(_Noreturn void, reach_error, void) {
  stop("reach_error() was called");
}

PLAIN(_Noreturn void, __VERIFIER_error, void) {
  stop("__VERIFIER_error() was called");
}

PLAIN(unsigned, choose, unsigned n) {
  (void)n;
  return 0;
}

#define NONDET(name, type)                      \
  PLAIN(type, __VERIFIER_nondet_##name, void) { \
    return 0;                                   \
  }

NONDET(bool, bool)
NONDET(float, float)
NONDET(double, double)
NONDET(pointer, void *)
NONDET(pchar, char *)
#include "util/nondet.def"
