/* Sending signals, and their arrival.
 *
 * A signal is pending from the moment it is sent.  If its target does not block
 * it then, a process of the runtime's own is started, whose only step is that
 * the signal arrives.  It comes at any time, before or after any step of the
 * target.  If the target blocks the signal then, nothing happens: it takes the
 * signal when it lets it through, or by sigwait().
 *
 * A signal that a thread sends to itself arrives at once. */
#include "signals.h"

#include <string.h>

#include "util/lines.h"

/* prog: on the stack of a process that lets a signal arrive. */
struct incoming {
  struct thread *target; /* NULL: the process */
  int number;
  struct origin sent;           /* if it is due: */
  enum due (*is_due)(uint32_t); /* NULL: it is pending already */
  uint32_t which;
};

/* ---- targets ------------------------------------------------------------- */

/* That the process has ended before the thread's last step is nothing that an
 * arrival or its sender could notice: it has no order with that step.  With the
 * step that ended the process it has.
 *
 * An error, an assumption or a bound stops a thread in its last step, which
 * reads its attention and writes nothing.  So the thread is still a target: the
 * arrival writes the attention, and also comes before that step. */
static bool is_alive(const struct thread *t) {
  return t->state != THREAD_NONE && t->state != THREAD_ENDED &&
         (t->state != THREAD_GONE || process.ended != t->id + 1);
}

/* Helpers block all signals, even SIGKILL. */
static bool can_take(const struct thread *t, int number) {
  return is_alive(t) && !t->outlives &&
         !(signal_masks[t->id] & signal_bit(number));
}

/* How many threads can take it; the nth one. */
static unsigned takers(int number, unsigned nth, struct thread **taker) {
  unsigned count = 0;
  for (unsigned i = 0; i < thread_count(); i++) {
    struct thread *t = thread_get(i);
    if (!can_take(t, number))
      continue;
    if (count++ == nth)
      *taker = t;
  }
  return count;
}

/* Has it begun, ended or not?  Helpers block all signals. */
static bool was_born(unsigned i) {
  return thread_get(i)->state != THREAD_NONE && signal_masks[i] != ~0ul;
}

/* A thread's birth writes the attention of its parent, its end its own. */
static void read_targets(const struct thread *target) {
  if (target) {
    signals_read(&signal_masks[target->id], sizeof *signal_masks);
    signals_read(&attention[target->id], sizeof *attention);
    return;
  }
  for (unsigned i = 0; i < thread_count(); i++)
    if (was_born(i))
      signals_read(&signal_masks[i], sizeof *signal_masks);
  for (unsigned i = 0; i < thread_count(); i++)
    if (was_born(i))
      signals_read(&attention[i], sizeof *attention);
}

/* ---- arrival ------------------------------------------------------------- */

/* A step's footprint must not depend on the choice that it makes. */
static void write_takers(int number) {
  for (unsigned i = 0; i < thread_count(); i++)
    if (can_take(thread_get(i), number))
      signals_write(&signal_masks[i], sizeof *signal_masks);
  for (unsigned i = 0; i < thread_count(); i++)
    if (can_take(thread_get(i), number))
      signals_write(&attention[i], sizeof *attention);
}

/* The threads that can take the signal, as the step finds them.  Which one does
 * matters to handlers only. */
static struct thread *choose_taker(struct thread *target, int number) {
  struct thread *taker = NULL;
  read_targets(target);
  if (target)
    return can_take(target, number) ? target : NULL;
  unsigned count = takers(number, 0, &taker);
  if (count > 1 && signal_deed(number) == DEED_HANDLE) {
    write_takers(number);
    takers(number, choose(count), &taker);
  }
  return taker;
}

static void interrupt(struct thread *taker, int number, struct origin sent) {
  if (signal_deed(number) == DEED_IGNORE)
    return;
  if (taker->state != THREAD_RUNNING)
    signals_write(&attention[taker->id], sizeof *attention);
  else
    signals_interrupt(taker, number, sent);
}

/* It is due, and no thread takes it yet. */
static void leave_pending(const struct incoming *a, unsigned long *pending) {
  signals_queue(NULL, a->number, a->sent);
  if (*pending & signal_bit(a->number))
    return;
  SIGNALS_SET(*pending, *pending | signal_bit(a->number));
  SET(signals_sent[a->number], a->sent);
}

static void arrive(const struct incoming *a) {
  unsigned long *pending = signals_pending(a->target);
  struct origin sent = a->sent;
  signals_read(pending, sizeof *pending);
  bool was_sent = *pending & signal_bit(a->number);
  if (!a->is_due && !was_sent)
    return;
  struct thread *taker = choose_taker(a->target, a->number);
  if (a->is_due && (!taker || was_sent) &&
      (!was_sent || a->number >= SIGNAL_FIRST_QUEUED))
    leave_pending(a, pending);
  if (!taker)
    return;
  if (was_sent)
    sent = signal_take(a->target, a->number);
  interrupt(taker, a->number, sent);
}

static void run(struct thread *t) {
  struct incoming a = *(struct incoming *)t->argument;
  struct operation op = {.op = OP_ARRIVAL, .flags = STEP_BLOCK};
  visible(&op);
  enum due due = a.is_due ? a.is_due(a.which) : DUE_ONCE;
  if (due != DUE_NEVER)
    arrive(&a);
  thread_end(due == DUE_AGAIN ? THREAD_STOPPED : THREAD_ENDED);
}

static void start(struct incoming a) {
  interrupt_expect(a.target, signal_bit(a.number));
  thread_start_helper(run, &a);
}

void signal_comes(int number, struct origin sent, enum due (*is_due)(uint32_t),
                  uint32_t which) {
  signals_are_sent();
  start((struct incoming){NULL, number, sent, is_due, which});
}

/* ---- sending ------------------------------------------------------------- */

static bool is_number(int number) {
  return number >= 0 && number < NSIG;
}

/* As part of the step.  Does it arrive by itself? */
static bool post(struct thread *target, int number, struct origin sent) {
  unsigned long *pending = signals_pending(target), bit = signal_bit(number);
  struct thread *taker = NULL;
  bool taken = target ? can_take(target, number) : takers(number, 0, &taker);
  if (taken && signal_deed(number) == DEED_IGNORE)
    return false;
  signals_read(pending, sizeof *pending);
  if ((*pending & bit) && number < SIGNAL_FIRST_QUEUED)
    return false; /* one signal stands for both */
  signals_queue(target, number, sent);
  SIGNALS_SET(*pending, *pending | bit);
  if (!target)
    SET(signals_sent[number], sent);
  return taken;
}

/* Can only the running thread take it? */
static bool is_for_me(const struct thread *target, int number) {
  struct thread *taker = NULL;
  return target ? target == self
                : takers(number, 0, &taker) == 1 && taker == self;
}

/* A signal to the process is for its only thread.  One that stands for this one
 * and was sent before arrives now, too. */
static void send_self(struct thread *target, int number, struct origin sent,
                      uint64_t pc) {
  post(target, number, sent);
  if (!can_take(self, number))
    return;
  int taken = signals_take(signal_bit(number), &sent);
  if (taken)
    signals_act(taken, sent, pc);
}

int signal_send(struct thread *target, int number, struct origin sent,
                uint64_t pc) {
  if (!is_number(number))
    return EINVAL;
  if (engine.mode != MODE_EXPLORE)
    refuse("a signal is sent before main");
  if (number == SIGSTOP || number == SIGTSTP || number == SIGTTIN ||
      number == SIGTTOU)
    refuse("signals that stop the process are not supported");
  if (self->atomic_depth)
    refuse("a signal is sent inside an atomic block");
  if (target != self && !(thread_is_alone() && !target))
    signals_are_sent();
  signals_announce(OP_RAISE, pc);
  if (!number)
    return 0;
  read_targets(target);
  if (target && !is_alive(target))
    return 0; /* as in glibc: it has not been joined yet */
  if (is_for_me(target, number)) {
    send_self(target, number, sent, pc);
  } else if (post(target, number, sent)) {
    start((struct incoming){target, number, sent, NULL, 0});
  }
  return 0;
}

/* ---- the program's names ------------------------------------------------- */

static struct thread *target_of(pthread_t handle, uint64_t pc) {
  struct thread *t = thread_at(handle);
  if (t && (t->id == 0 || t->state != THREAD_NONE))
    return t;
  fail(FINDING_MISUSE, pc, "signal to something that is not a thread");
}

INTERPOSED int pthread_kill(pthread_t handle, int number) {
  return signal_send(target_of(handle, CALLER), number,
                     (struct origin){SI_TKILL, NULL}, CALLER);
}

static int send_or_fail(struct thread *target, int number, struct origin sent,
                        uint64_t pc) {
  int code = signal_send(target, number, sent, pc);
  return code ? fail_with(code) : 0;
}

INTERPOSED int raise(int number) {
  return send_or_fail(self, number, (struct origin){SI_TKILL, NULL}, CALLER);
}

INTERPOSED int gsignal(int number) {
  return send_or_fail(self, number, (struct origin){SI_TKILL, NULL}, CALLER);
}

/* A process group has this process alone. */
static bool is_this_process(pid_t id) {
  return id == PROCESS_ID || id == 0 || id == -PROCESS_ID;
}

INTERPOSED int kill(pid_t id, int number) {
  if (!is_this_process(id))
    return fail_with(ESRCH);
  return send_or_fail(NULL, number, (struct origin){SI_USER, NULL}, CALLER);
}

INTERPOSED int killpg(pid_t group, int number) {
  if (!is_this_process(group))
    return fail_with(ESRCH);
  return send_or_fail(NULL, number, (struct origin){SI_USER, NULL}, CALLER);
}

INTERPOSED int sigqueue(pid_t id, int number, const union sigval value) {
  if (!is_this_process(id))
    return fail_with(ESRCH);
  return send_or_fail(NULL, number, (struct origin){SI_QUEUE, value.sival_ptr},
                      CALLER);
}

INTERPOSED int pthread_sigqueue(pthread_t handle, int number,
                                const union sigval value) {
  return signal_send(target_of(handle, CALLER), number,
                     (struct origin){SI_QUEUE, value.sival_ptr}, CALLER);
}

INTERPOSED int tgkill(pid_t id, pid_t thread, int number) {
  unsigned n = (unsigned)(thread - PROCESS_ID);
  struct thread *t = n < thread_count() ? thread_get(n) : NULL;
  if (!is_this_process(id) || !t)
    return fail_with(ESRCH);
  return send_or_fail(t, number, (struct origin){SI_TKILL, NULL}, CALLER);
}

/* ---- from outside -------------------------------------------------------- */

static enum due always(uint32_t which) {
  (void)which;
  return DUE_ONCE;
}

static int number_of(const char *name) {
  for (int n = 1; n < NSIG; n++) {
    const char *known = signal_name(n);
    if (!strcmp(known, name) || !strcmp(known + 3, name))
      return n;
  }
  refuse("--signal=%s: there is no signal of this name", name);
}

static void each_from_outside(void (*what)(int number)) {
  char name[LINES_MOST];
  const char *at = engine.control->options.signals.at;
  while ((at = lines_text_next(at, name)))
    what(number_of(name));
}

/* A thread's birth is known to the step: see read_targets(). */
static bool main_is_all(void) {
  for (unsigned i = 1; i < thread_count(); i++)
    if (was_born(i))
      return false;
  return true;
}

bool signal_may_end(int number) {
  char name[LINES_MOST];
  const char *at = engine.control->options.signals.at;
  while ((at = lines_text_next(at, name)))
    if (number_of(name) == number)
      return main_is_all();
  return false;
}

static void expect(int number) {
  signals_are_sent();
  interrupt_expect(NULL, signal_bit(number));
}

static void come(int number) {
  signal_comes(number, (struct origin){SI_USER, NULL}, always, 0);
}

void signals_expect(void) {
  each_from_outside(expect);
}

void signals_start(void) {
  each_from_outside(come);
}
