/* Signals: none ever arrives.  Sets of signals are data, and a thread's mask is
 * kept for the thread to read back. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>

#include "libc.h"
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

/* ---- masks --------------------------------------------------------------- */

/* prog: for each thread, its mask of the signals that the kernel knows. */
PROG static unsigned long masks[NATIVE_THREADS];

void signals_inherit(const struct thread *parent, const struct thread *child) {
  if (masks[child->id] != masks[parent->id])
    SET(masks[child->id], masks[parent->id]);
}

/* These two cannot be blocked. */
static unsigned long blockable(unsigned long signals) {
  return signals & ~bit_of(SIGKILL) & ~bit_of(SIGSTOP);
}

sigset_t signal_mask(void) {
  return (sigset_t){{masks[current()->id]}};
}

void signal_mask_put(const sigset_t *set) {
  SET(masks[current()->id], blockable(set->__val[0]));
}

static int change_mask(int how, const sigset_t *set, sigset_t *old,
                       uint64_t pc) {
  unsigned long *mask = &masks[current()->id], before = *mask;
  if (set) {
    unsigned long word = blockable(LOOK_AT(*set, pc).__val[0]);
    if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
      return EINVAL;
    SET(*mask, how == SIG_BLOCK     ? before | word
               : how == SIG_UNBLOCK ? before & ~word
                                    : word);
  }
  if (old)
    PUT_AT(*old, ((sigset_t){{before}}), pc);
  return 0;
}

INTERPOSED int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
  return change_mask(how, set, old, CALLER);
}

INTERPOSED int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
  int code = change_mask(how, set, old, CALLER);
  return code ? fail_with(code) : 0;
}
