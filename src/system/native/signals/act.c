/* What a thread does about signals: masks, actions, handlers. */
#include "signals.h"

#include <string.h>
#include <ucontext.h>

#include "system/native/engine/round.h"

/* ---- state --------------------------------------------------------------- */

PROG struct sigaction signal_actions[NSIG];

/* prog: [0] is the process's. */
PROG static unsigned long pending[NATIVE_THREADS + 1];
PROG struct origin signals_sent[NSIG];

unsigned long *signals_pending(const struct thread *t) {
  return &pending[t ? t->id + 1 : 0];
}

void signals_are_sent(void) {
  if (!signals_are_steps && !engine.finest && engine.steps.size)
    engine.stale = true;
  signals_are_steps = true;
  interrupt_ends_show();
}

static bool are_steps(void) {
  return signals_are_steps || engine.finest;
}

void signals_announce(enum op kind, uint64_t pc) {
  struct operation op = {.op = kind, .flags = STEP_BLOCK, .pc = pc};
  round_changes();
  if (are_steps())
    visible(&op);
  else
    engine.hidden++;
}

void signals_read(const void *at, size_t size) {
  if (are_steps())
    footprint_add(at, size, ACCESS_ATOMIC);
}

void signals_write(void *at, size_t size) {
  if (are_steps())
    footprint_add(at, size, ACCESS_ATOMIC | ACCESS_WRITE);
  undo_note(at, size);
}

/* ---- actions ------------------------------------------------------------- */

static bool is_ignored_by_default(int number) {
  return number == SIGCHLD || number == SIGURG || number == SIGWINCH ||
         number == SIGCONT;
}

static bool is_ignored(int number, sighandler_t handler) {
  return handler == SIG_IGN ||
         (handler == SIG_DFL && is_ignored_by_default(number));
}

enum deed signal_deed(int number) {
  sighandler_t handler = signal_actions[number].sa_handler;
  signals_read(&signal_actions[number], sizeof *signal_actions);
  if (is_ignored(number, handler))
    return DEED_IGNORE;
  return handler == SIG_DFL ? DEED_END : DEED_HANDLE;
}

bool signal_can_be_handled(int signal) {
  return signal >= 1 && signal < NSIG && signal != SIGKILL && signal != SIGSTOP;
}

static void discard(const struct thread *t, int number) {
  const unsigned long *from = signals_pending(t);
  signals_read(from, sizeof *from);
  while (*from & signal_bit(number))
    signal_take(t, number);
}

/* Pending signals that are ignored from now on are discarded, blocked or not.
 * It is a step of its own: one that is sent between the two might as well have
 * been sent before. */
static void discard_pending(int number, uint64_t pc) {
  if (!self)
    return;
  signals_announce(OP_SIGNALS, pc);
  discard(NULL, number);
  for (unsigned i = 0; i < thread_count(); i++)
    discard(thread_get(i), number);
}

struct sigaction signal_exchange(int signal, const struct sigaction *new,
                                 uint64_t pc) {
  struct sigaction *a = &signal_actions[signal], old;
  library_state(a, sizeof *a, new != NULL, pc);
  old = *a;
  if (new)
    SET(*a, *new);
  if (new != NULL && is_ignored(signal, new->sa_handler))
    discard_pending(signal, pc);
  return old;
}

INTERPOSED int sigaction(int signal, const struct sigaction *new,
                         struct sigaction *old) {
  struct sigaction wanted, before;
  if (!signal_can_be_handled(signal))
    return fail_with(EINVAL);
  if (new)
    wanted = LOOK(*new);
  before = signal_exchange(signal, new ? &wanted : NULL, CALLER);
  if (old)
    PUT(*old, before);
  return 0;
}

static sighandler_t set_handler(int signal, sighandler_t handler, int flags,
                                uint64_t pc) {
  struct sigaction new = {.sa_flags = flags};
  new.sa_handler = handler;
  if (!signal_can_be_handled(signal) || handler == SIG_ERR) {
    error_set(EINVAL);
    return SIG_ERR;
  }
  return signal_exchange(signal, &new, pc).sa_handler;
}

INTERPOSED sighandler_t signal(int number, sighandler_t handler) {
  return set_handler(number, handler, SA_RESTART, CALLER);
}

INTERPOSED sighandler_t ssignal(int number, sighandler_t handler) {
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

INTERPOSED int siginterrupt(int number, int interrupts) {
  if (!signal_can_be_handled(number))
    return fail_with(EINVAL);
  struct sigaction a = signal_exchange(number, NULL, CALLER);
  a.sa_flags = interrupts ? a.sa_flags & ~SA_RESTART : a.sa_flags | SA_RESTART;
  signal_exchange(number, &a, CALLER);
  return 0;
}

/* ---- handlers ------------------------------------------------------------ */

/* What a handler is to do, as the action says when the signal is taken. */
static struct interruption prepare(struct thread *t, int number,
                                   struct origin sent) {
  struct sigaction *a = &signal_actions[number];
  struct interruption i = {.number = number,
                           .flags = a->sa_flags & SA_RESTART ? RESTARTS : 0,
                           .handler = (void *)(uintptr_t)a->sa_sigaction,
                           .mask = signal_masks[t->id],
                           .code = sent.code,
                           .value = sent.value,
                           .takes_info = a->sa_flags & SA_SIGINFO};
  unsigned long blocked = i.mask | a->sa_mask.__val[0];
  if (!(a->sa_flags & SA_NODEFER))
    blocked |= signal_bit(number);
  blocked &= ~(signal_bit(SIGKILL) | signal_bit(SIGSTOP));
  SIGNALS_SET(signal_masks[t->id], blocked);
  if (a->sa_flags & (int)SA_RESETHAND) {
    signals_write(a, sizeof *a);
    a->sa_handler = SIG_DFL;
    a->sa_flags &= ~SA_SIGINFO;
  }
  return i;
}

siginfo_t signal_info(int number, struct origin sent) {
  siginfo_t info;
  memset(&info, 0, sizeof info);
  info.si_signo = number;
  info.si_code = sent.code;
  if (sent.code != SI_KERNEL && sent.code != SI_TIMER) {
    info.si_pid = PROCESS_ID;
    info.si_uid = USER_ID;
  }
  info.si_value.sival_ptr = sent.value;
  return info;
}

static void call(const struct interruption *i) {
  siginfo_t info = signal_info(i->number, (struct origin){i->code, i->value});
  ucontext_t context;
  if (!i->takes_info) {
    ((sighandler_t)(uintptr_t)i->handler)(i->number);
    return;
  }
  memset(&context, 0, sizeof context);
  ((void (*)(int, siginfo_t *, void *))(uintptr_t)i->handler)(i->number, &info,
                                                              &context);
}

static void handle(struct interruption *i) {
  uint64_t pc = (uintptr_t)i->handler;
  call(i);
  signals_set_mask(i->mask, pc);
}

/* ---- acting -------------------------------------------------------------- */

static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE,  SIGILL,
                              SIGABRT, SIGSYS, SIGTRAP, 0};

static _Noreturn void end_by(int number, bool own_step, uint64_t pc) {
  for (const int *c = crashes; *c; c++)
    if (*c == number)
      fail(FINDING_CRASH, pc, "signal %d (%s) ends the program", number,
           signal_name(number));
  program_killed(number, own_step, pc);
}

void signals_act(int number, struct origin sent, uint64_t pc) {
  struct interruption i;
  switch (signal_deed(number)) {
  case DEED_IGNORE:
    break;
  case DEED_END:
    end_by(number, true, pc);
  case DEED_HANDLE:
    i = prepare(self, number, sent);
    handle(&i);
  }
}

void signals_act_on_all(int number, struct origin sent, uint64_t pc) {
  struct origin next_sent;
  if (signal_deed(number) != DEED_HANDLE) {
    signals_act(number, sent, pc);
    return;
  }
  struct interruption i = prepare(self, number, sent);
  int next = signals_take_unless_ignored(~signal_masks[self->id], &next_sent);
  if (next)
    signals_act_on_all(next, next_sent, pc);
  handle(&i);
}

void signals_interrupt(struct thread *t, int number, struct origin sent) {
  if (signal_deed(number) == DEED_END)
    end_by(number, false, t->pending->pc);
  struct interruption i = prepare(t, number, sent);
  i.run = handle;
  interrupt_thread(t, &i);
}

struct origin signal_take(const struct thread *t, int number) {
  unsigned long *from = signals_pending(t);
  struct origin sent =
      t ? (struct origin){SI_TKILL, NULL} : signals_sent[number];
  if (!signals_unqueue(t, number, &sent))
    SIGNALS_SET(*from, *from & ~signal_bit(number));
  return sent;
}

static int take_from(const struct thread *t, unsigned long among,
                     struct origin *sent) {
  const unsigned long *from = signals_pending(t);
  signals_read(from, sizeof *from);
  unsigned long found = *from & among;
  if (!found)
    return 0;
  int number = __builtin_ctzl(found) + 1;
  *sent = signal_take(t, number);
  return number;
}

int signals_take(unsigned long among, struct origin *sent) {
  *sent = (struct origin){SI_TKILL, NULL};
  int number = take_from(self, among, sent);
  return number ? number : take_from(NULL, among, sent);
}

int signals_take_unless_ignored(unsigned long among, struct origin *sent) {
  int number;
  do
    number = signals_take(among, sent);
  while (number && signal_deed(number) == DEED_IGNORE);
  return number;
}

void signals_abort(uint64_t pc) {
  if (signal_actions[SIGABRT].sa_handler != SIG_DFL &&
      signal_actions[SIGABRT].sa_handler != SIG_IGN)
    signals_act(SIGABRT, (struct origin){SI_TKILL, NULL}, pc);
}

/* ---- masks --------------------------------------------------------------- */

/* These two cannot be blocked. */
static unsigned long blockable(unsigned long signals) {
  return signals & ~signal_bit(SIGKILL) & ~signal_bit(SIGSTOP);
}

void signals_set_mask(unsigned long mask, uint64_t pc) {
  struct origin sent;
  if (!self) {
    SET(signal_masks[0], mask);
    return;
  }
  signals_announce(OP_SIGNALS, pc);
  SIGNALS_SET(signal_masks[self->id], mask);
  int number = signals_take_unless_ignored(~mask, &sent);
  if (number)
    signals_act_on_all(number, sent, pc);
}

sigset_t signal_mask(void) {
  return (sigset_t){{signal_masks[current()->id]}};
}

void signal_mask_put(const sigset_t *set, uint64_t pc) {
  signals_set_mask(blockable(set->__val[0]), pc);
}

int signals_change_mask(int how, const sigset_t *set, sigset_t *old,
                        uint64_t pc) {
  unsigned long before = signal_masks[current()->id];
  unsigned long word = set ? blockable(LOOK_AT(*set, pc).__val[0]) : 0;
  if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
    return EINVAL;
  if (old)
    PUT_AT(*old, ((sigset_t){{before}}), pc);
  if (set)
    signals_set_mask(how == SIG_BLOCK     ? before | word
                     : how == SIG_UNBLOCK ? before & ~word
                                          : word,
                     pc);
  return 0;
}

INTERPOSED int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
  return signals_change_mask(how, set, old, CALLER);
}

INTERPOSED int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
  int code = signals_change_mask(how, set, old, CALLER);
  return code ? fail_with(code) : 0;
}

INTERPOSED int sigpending(sigset_t *to) {
  struct thread *me = current();
  signals_announce(OP_SIGNALS, CALLER);
  signals_read(signals_pending(me), sizeof(long));
  signals_read(signals_pending(NULL), sizeof(long));
  unsigned long both = *signals_pending(me) | *signals_pending(NULL);
  PUT(*to, ((sigset_t){{both}}));
  return 0;
}
