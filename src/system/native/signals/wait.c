/* Waiting for signals: sigwait and its like, sigsuspend, pause. */
#include "signals.h"

#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "system/native/engine/timekeeping.h"
#include "system/native/pthread/cancel.h"

/* Clears the stack below the caller: see files/poll.c. */
static __attribute__((noinline)) void clear_below(void) {
  char room[4096];
  heddle_real_memset(room, 0, sizeof room);
  __asm__ volatile("" : : "r"(room) : "memory");
}

/* ---- taking -------------------------------------------------------------- */

enum { GOT_NONE = 0, GOT_INTERRUPTED = -1, GOT_CANCELLED = -2 };

/* One look, as a step. */
static __attribute__((noinline)) int look(unsigned long among, bool waits,
                                          uint8_t interruptible,
                                          struct origin *sent, uint64_t pc) {
  struct operation op = {.op = waits ? OP_SIGWAIT : OP_SIGNALS,
                         .flags = STEP_BLOCK,
                         .interruptible = interruptible,
                         .pc = pc};
  visible(&op);
  if (interrupted())
    return GOT_INTERRUPTED;
  if (cancel_pending())
    return GOT_CANCELLED;
  int number = signals_take(among, sent);
  if (waits && !number && !timers_repeat())
    spin_in_vain();
  return number;
}

static int take_among(unsigned long among, bool waits, uint8_t interruptible,
                      struct origin *sent, uint64_t pc) {
  int number;
  if (engine.mode != MODE_EXPLORE)
    refuse("a constructor waits, before main");
  signals_are_sent();
  do {
    clear_below();
    number = look(among, waits, interruptible, sent, pc);
  } while (waits && number == GOT_NONE);
  if (number == GOT_CANCELLED)
    cancel_act();
  return number;
}

static int take(const sigset_t *set, bool waits, uint8_t interruptible,
                struct origin *sent, uint64_t pc) {
  return take_among(LOOK_AT(*set, pc).__val[0], waits, interruptible, sent, pc);
}

INTERPOSED int sigwait(const sigset_t *set, int *to) {
  struct origin sent;
  int number = take(set, true, INTERRUPT_NOT, &sent, CALLER);
  PUT(*to, number);
  return 0;
}

static int give(int number, struct origin sent, siginfo_t *to, uint64_t pc) {
  if (number == GOT_INTERRUPTED)
    return fail_with(EINTR);
  if (number == GOT_NONE)
    return fail_with(EAGAIN);
  if (to)
    PUT_AT(*to, signal_info(number, sent), pc);
  return number;
}

INTERPOSED int sigwaitinfo(const sigset_t *set, siginfo_t *to) {
  struct origin sent;
  int number = take(set, true, INTERRUPT_ALWAYS, &sent, CALLER);
  return give(number, sent, to, CALLER);
}

/* ---- signalfd ------------------------------------------------------------ */

bool signals_are_pending(unsigned long among) {
  unsigned long *own = signals_pending(self), *all = signals_pending(NULL);
  signals_read(own, sizeof *own);
  signals_read(all, sizeof *all);
  return (*own | *all) & among;
}

int signals_take_one(unsigned long among, bool waits,
                     struct signalfd_siginfo *to, uint64_t pc) {
  struct origin sent;
  int number = take_among(among, waits, INTERRUPT_FAILS, &sent, pc);
  if (number <= 0)
    return fail_with(number == GOT_NONE ? EAGAIN : EINTR);
  siginfo_t info = signal_info(number, sent);
  heddle_real_memset(to, 0, sizeof *to);
  to->ssi_signo = (uint32_t)number;
  to->ssi_code = info.si_code;
  to->ssi_pid = (uint32_t)info.si_pid;
  to->ssi_uid = info.si_uid;
  to->ssi_int = info.si_value.sival_int;
  to->ssi_ptr = (uintptr_t)info.si_value.sival_ptr;
  return number;
}

/* ---- sigtimedwait -------------------------------------------------------- */

/* Looks once, and its time is over if no signal is there. */
INTERPOSED int sigtimedwait(const sigset_t *set, siginfo_t *to,
                            const struct timespec *time) {
  struct origin sent;
  if (!time_valid(time, CALLER))
    return fail_with(EINVAL);
  uint64_t length =
      (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec;
  int number = take(set, false, INTERRUPT_NOT, &sent, CALLER);
  if (number == GOT_NONE)
    time_pass(length);
  return give(number, sent, to, CALLER);
}

/* ---- waiting for a handler ----------------------------------------------- */

static void await_handler(uint8_t interruptible, uint64_t pc) {
  struct operation op = {.op = OP_SIGWAIT,
                         .flags = STEP_BLOCKING,
                         .interruptible = interruptible,
                         .pc = pc,
                         .ready = never_ready};
  do
    if (cancel_visible(&op))
      cancel_act();
  while (!interrupted());
}

INTERPOSED int pause(void) {
  if (engine.mode != MODE_EXPLORE)
    refuse("a constructor waits, before main");
  signals_are_sent();
  signals_announce(OP_SIGNALS, CALLER);
  timers_repeat();
  await_handler(INTERRUPT_ALWAYS, CALLER);
  return fail_with(EINTR);
}

/* A pending signal that the mask lets through is acted on at once. */
static bool enter_mask(unsigned long mask, unsigned long *before, uint64_t pc) {
  struct origin sent;
  *before = signal_masks[self->id];
  signals_are_sent();
  signals_announce(OP_SIGNALS, pc);
  SIGNALS_SET(signal_masks[self->id], mask);
  int number = signals_take_unless_ignored(~mask, &sent);
  if (!number)
    timers_repeat();
  bool handled = number && signal_deed(number) == DEED_HANDLE;
  if (number)
    signals_act_on_all(number, sent, pc);
  SET(self->masked, 1);
  if (handled)
    error_set(EINTR);
  return !handled;
}

bool signals_enter_mask(const sigset_t *set, unsigned long *before,
                        uint64_t pc) {
  return enter_mask(LOOK_AT(*set, pc).__val[0], before, pc);
}

void signals_leave_mask(unsigned long before, uint64_t pc) {
  SET(self->masked, 0);
  signals_set_mask(before, pc);
}

/* Until a handler has run. */
static int suspend(unsigned long mask, uint64_t pc) {
  if (engine.mode != MODE_EXPLORE)
    refuse("a constructor waits, before main");
  unsigned long before;
  if (enter_mask(mask, &before, pc))
    await_handler(INTERRUPT_ATOMIC, pc);
  signals_leave_mask(before, pc);
  return fail_with(EINTR);
}

INTERPOSED int sigsuspend(const sigset_t *set) {
  return suspend(LOOK(*set).__val[0], CALLER);
}

/* The signal is let through while the thread waits.  In glibc's header this is
 * the name of sigpause(). */
int __xpg_sigpause(int);
INTERPOSED int __xpg_sigpause(int number) {
  if (number < 1 || number >= NSIG)
    return fail_with(EINVAL);
  return suspend(signal_masks[current()->id] & ~signal_bit(number), CALLER);
}

int sigpause_of_mask(int) __asm__("sigpause");
INTERPOSED int sigpause_of_mask(int mask) {
  return suspend((unsigned)mask, CALLER);
}
