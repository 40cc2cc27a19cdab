/* Sets of signals: data of the program. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>

#include "system/native/libc/libc.h"
#include "system/native/pthread/sync.h"

static int fail_with(int number) {
  error_set(number);
  return -1;
}

/* ---- sets ---------------------------------------------------------------- */

INTERPOSED int sigemptyset(sigset_t *set) {
  PUT(*set, ((sigset_t){{0}}));
  return 0;
}

INTERPOSED int sigfillset(sigset_t *set) {
  sigset_t all;
  heddle_real_memset(&all, 0xff, sizeof all);
  PUT(*set, all);
  return 0;
}

/* The word of a set that a signal's bit is in; NULL if it is no signal. */
static unsigned long *word_of(const sigset_t *set, int signal) {
  unsigned bits = 8 * sizeof *set->__val;
  if (signal < 1 || signal >= NSIG)
    return NULL;
  return (unsigned long *)(uintptr_t)&set->__val[(unsigned)(signal - 1) / bits];
}

static unsigned long bit_of(int signal) {
  return 1ul << (unsigned)(signal - 1) % (8 * sizeof(unsigned long));
}

INTERPOSED int sigaddset(sigset_t *set, int signal) {
  unsigned long *word = word_of(set, signal);
  if (!word)
    return fail_with(EINVAL);
  PUT(*word, LOOK(*word) | bit_of(signal));
  return 0;
}

INTERPOSED int sigdelset(sigset_t *set, int signal) {
  unsigned long *word = word_of(set, signal);
  if (!word)
    return fail_with(EINVAL);
  PUT(*word, LOOK(*word) & ~bit_of(signal));
  return 0;
}

INTERPOSED int sigismember(const sigset_t *set, int signal) {
  unsigned long *word = word_of(set, signal);
  if (!word)
    return fail_with(EINVAL);
  return (LOOK(*word) & bit_of(signal)) != 0;
}

INTERPOSED int sigisemptyset(const sigset_t *set) {
  return LOOK(*set).__val[0] == 0;
}

INTERPOSED int sigandset(sigset_t *to, const sigset_t *a, const sigset_t *b) {
  unsigned long both = LOOK(*a).__val[0] & LOOK(*b).__val[0];
  PUT(*to, ((sigset_t){{both}}));
  return 0;
}

INTERPOSED int sigorset(sigset_t *to, const sigset_t *a, const sigset_t *b) {
  unsigned long either = LOOK(*a).__val[0] | LOOK(*b).__val[0];
  PUT(*to, ((sigset_t){{either}}));
  return 0;
}
