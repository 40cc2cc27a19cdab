/* Signals: none ever arrives.  Sets of signals are data; a thread's mask and
 * the actions of signals are kept for the program to read back.  A program that
 * has a handler can be checked, but not completely: the handler is never run.
 */
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

/* ---- actions ------------------------------------------------------------- */

/* prog: what the program wants to happen.  All zero: the default. */
PROG static struct sigaction actions[NSIG];

static void note_handler(int signal, sighandler_t handler) {
  if (handler != SIG_DFL && handler != SIG_IGN)
    left_out("the handler of signal %d was never run: no signal arrives",
             signal);
}

static bool can_be_handled(int signal) {
  return signal >= 1 && signal < NSIG && signal != SIGKILL && signal != SIGSTOP;
}

static struct sigaction exchange(int signal, const struct sigaction *new,
                                 uint64_t pc) {
  struct sigaction *a = &actions[signal], old;
  library_state(a, sizeof *a, new != NULL, pc);
  old = *a;
  if (new) {
    note_handler(signal, new->sa_handler);
    SET(*a, *new);
  }
  return old;
}

INTERPOSED int sigaction(int signal, const struct sigaction *new,
                         struct sigaction *old) {
  struct sigaction wanted, before;
  if (!can_be_handled(signal))
    return fail_with(EINVAL);
  if (new)
    wanted = LOOK(*new);
  before = exchange(signal, new ? &wanted : NULL, CALLER);
  if (old)
    PUT(*old, before);
  return 0;
}

static sighandler_t set_handler(int signal, sighandler_t handler, int flags,
                                uint64_t pc) {
  struct sigaction new = {.sa_flags = flags};
  new.sa_handler = handler;
  if (!can_be_handled(signal) || handler == SIG_ERR) {
    error_set(EINVAL);
    return SIG_ERR;
  }
  return exchange(signal, &new, pc).sa_handler;
}

INTERPOSED sighandler_t signal(int number, sighandler_t handler) {
  return set_handler(number, handler, SA_RESTART, CALLER);
}

INTERPOSED sighandler_t sysv_signal(int number, sighandler_t handler) {
  return set_handler(number, handler, (int)(SA_RESETHAND | SA_NODEFER), CALLER);
}

/* A program without _DEFAULT_SOURCE calls it by this name. */
sighandler_t __sysv_signal(int, sighandler_t);
INTERPOSED sighandler_t __sysv_signal(int number, sighandler_t handler) {
  return set_handler(number, handler, (int)(SA_RESETHAND | SA_NODEFER), CALLER);
}
