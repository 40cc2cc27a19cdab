/* Timers: signals that come at any time after the timer was set, until it is
 * set anew.
 *
 * A timer that repeats comes once so, and again when a thread begins to wait
 * for a signal, at most AGAIN times: otherwise executions would have no end.
 * The process that let it come counts as stopped by a limit, since threads that
 * wait for the next time do not wait for ever. */
#include "signals.h"

#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { OF_PROCESS = 3, CREATED = 32, TIMERS = OF_PROCESS + CREATED };

/* prog: the first three are those of setitimer(); alarm() is the first. */
struct timer {
  uint32_t setting; /* counts how often it was set; even: it is not running */
  uint32_t seconds; /* as the program said */
  int32_t signal;   /* of timer_create(); 0: none */
  uint32_t exists;
  uint32_t again;     /* it repeats: so often it may still come; else 0 */
  uint32_t under_way; /* a process lets it come */
  void *value;        /* for handlers */
};
PROG static struct timer timers[TIMERS];

enum { AGAIN = 8 };

/* prog: a timer that repeats has come since. */
PROG static uint32_t repeated;

/* The timer and its setting are one number for the process that lets the signal
 * come. */
enum { SETTINGS = 1 << 16 };

static enum due is_due(uint32_t which) {
  struct timer *t = &timers[which / SETTINGS];
  signals_read(t, sizeof *t);
  if (t->setting != which % SETTINGS)
    return DUE_NEVER;
  if (!t->again) {
    SIGNALS_SET(t->setting, t->setting + 1);
    return DUE_ONCE;
  }
  SIGNALS_SET(t->under_way, 0);
  SIGNALS_SET(repeated, 1);
  return DUE_AGAIN;
}

static void let_come(struct timer *t, int number) {
  struct origin sent = {t->exists ? SI_TIMER : SI_KERNEL, t->value};
  t->under_way = 1;
  signal_comes(number, sent, is_due,
               (uint32_t)(t - timers) * SETTINGS + t->setting);
}

static int signal_of(int which) {
  return which >= OF_PROCESS       ? timers[which].signal
         : which == ITIMER_REAL    ? SIGALRM
         : which == ITIMER_VIRTUAL ? SIGVTALRM
                                   : SIGPROF;
}

static bool may_come_again(const struct timer *t) {
  return t->setting % 2 && t->again > 1 && !t->under_way;
}

bool timers_repeat(void) {
  bool any = false;
  signals_read(&repeated, sizeof repeated);
  if (!repeated)
    return false;
  signals_write(timers, sizeof timers);
  SIGNALS_SET(repeated, 0);
  for (int i = 0; i < TIMERS; i++) {
    if (!may_come_again(&timers[i]))
      continue;
    timers[i].again--;
    let_come(&timers[i], signal_of(i));
    any = true;
  }
  return any;
}

static void announce_timer(struct timer *t, uint64_t pc) {
  if (engine.mode != MODE_EXPLORE)
    refuse("a timer is set before main");
  signals_are_sent();
  signals_announce(OP_SIGNALS, pc);
  signals_write(t, sizeof *t);
}

/* In the step at hand.  The seconds that it would have run on. */
static uint32_t set(struct timer *t, uint32_t seconds, bool starts,
                    bool repeats, int number) {
  uint32_t before = t->setting % 2 ? t->seconds : 0;
  t->setting += t->setting % 2;
  if (t->setting + 2 >= SETTINGS)
    refuse("a timer is set more than %d times", SETTINGS / 2);
  if (!starts)
    return before;
  t->setting++;
  t->seconds = seconds;
  t->again = repeats ? AGAIN : 0;
  if (number && repeats)
    left_out("a timer that repeats comes once, and again when a thread waits "
             "for a signal, at most %d times",
             AGAIN);
  if (number)
    let_come(t, number);
  return before;
}

INTERPOSED unsigned alarm(unsigned seconds) {
  announce_timer(timers, CALLER);
  return set(timers, seconds, seconds != 0, false, SIGALRM);
}

INTERPOSED useconds_t ualarm(useconds_t time, useconds_t again) {
  announce_timer(timers, CALLER);
  return set(timers, 1, time != 0, again != 0, SIGALRM) ? 1 : 0;
}

static uint32_t rounded(uint64_t seconds, bool more) {
  return (uint32_t)(seconds + more);
}

INTERPOSED int setitimer(__itimer_which_t which, const struct itimerval *new,
                         struct itimerval *old) {
  if ((int)which < 0 || (int)which >= OF_PROCESS)
    return fail_with(EINVAL);
  struct itimerval wanted = LOOK(*new);
  bool starts = wanted.it_value.tv_sec || wanted.it_value.tv_usec;
  bool repeats = wanted.it_interval.tv_sec || wanted.it_interval.tv_usec;
  announce_timer(&timers[which], CALLER);
  uint32_t before =
      set(&timers[which],
          rounded((uint64_t)wanted.it_value.tv_sec, wanted.it_value.tv_usec),
          starts, repeats, signal_of((int)which));
  if (old)
    PUT(*old, ((struct itimerval){.it_value.tv_sec = before}));
  return 0;
}

INTERPOSED int getitimer(__itimer_which_t which, struct itimerval *to) {
  if ((int)which < 0 || (int)which >= OF_PROCESS)
    return fail_with(EINVAL);
  announce_timer(&timers[which], CALLER);
  uint32_t left = timers[which].setting % 2 ? timers[which].seconds : 0;
  PUT(*to, ((struct itimerval){.it_value.tv_sec = left}));
  return 0;
}

/* ---- timer_create -------------------------------------------------------- */

INTERPOSED int timer_create(clockid_t clock, struct sigevent *event,
                            timer_t *to) {
  struct sigevent e = {.sigev_signo = SIGALRM, .sigev_notify = SIGEV_SIGNAL};
  (void)clock;
  if (event)
    e = LOOK(*event);
  if (e.sigev_notify != SIGEV_SIGNAL && e.sigev_notify != SIGEV_NONE)
    refuse("timer_create is supported with SIGEV_SIGNAL and SIGEV_NONE only");
  int number = e.sigev_notify == SIGEV_NONE ? 0 : e.sigev_signo;
  if (number < 0 || number >= NSIG)
    return fail_with(EINVAL);
  announce_timer(&timers[OF_PROCESS], CALLER);
  uint32_t n = OF_PROCESS;
  while (n < TIMERS && timers[n].exists)
    n++;
  if (n == TIMERS)
    refuse("more than %d timers", CREATED);
  signals_write(&timers[n], sizeof *timers);
  timers[n].exists = 1;
  timers[n].signal = number;
  timers[n].value =
      event ? e.sigev_value.sival_ptr : (void *)(uintptr_t)(n - OF_PROCESS);
  PUT(*to, (timer_t)(uintptr_t)n);
  return 0;
}

static struct timer *timer_of(timer_t handle) {
  uintptr_t n = (uintptr_t)handle;
  struct timer *t = n >= OF_PROCESS && n < TIMERS ? &timers[n] : NULL;
  return t && t->exists ? t : NULL;
}

INTERPOSED int timer_settime(timer_t handle, int flags,
                             const struct itimerspec *new,
                             struct itimerspec *old) {
  struct itimerspec wanted = LOOK(*new);
  bool starts = wanted.it_value.tv_sec || wanted.it_value.tv_nsec;
  (void)flags;
  bool repeats = wanted.it_interval.tv_sec || wanted.it_interval.tv_nsec;
  struct timer *t = timer_of(handle);
  if (!t)
    return fail_with(EINVAL);
  announce_timer(t, CALLER);
  uint32_t before =
      set(t, rounded((uint64_t)wanted.it_value.tv_sec, wanted.it_value.tv_nsec),
          starts, repeats, t->signal);
  if (old)
    PUT(*old, ((struct itimerspec){.it_value.tv_sec = before}));
  return 0;
}

INTERPOSED int timer_gettime(timer_t handle, struct itimerspec *to) {
  struct timer *t = timer_of(handle);
  if (!t)
    return fail_with(EINVAL);
  announce_timer(t, CALLER);
  uint32_t left = t->setting % 2 ? t->seconds : 0;
  PUT(*to, ((struct itimerspec){.it_value.tv_sec = left}));
  return 0;
}

INTERPOSED int timer_getoverrun(timer_t handle) {
  return timer_of(handle) ? 0 : fail_with(EINVAL);
}

INTERPOSED int timer_delete(timer_t handle) {
  struct timer *t = timer_of(handle);
  if (!t)
    return fail_with(EINVAL);
  announce_timer(t, CALLER);
  set(t, 0, false, false, 0);
  t->exists = 0;
  return 0;
}
