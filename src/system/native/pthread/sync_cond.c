/* Condition variables.
 *
 * A wait is several events: one that releases the mutex and joins the queue (on
 * the condition variable and the mutex), and a lock of the mutex after being
 * woken.  In between the thread waits with an operation that is never ready;
 * the signal that picks it replaces that operation by the lock.  The lock was
 * prepared on the waiting thread's own stack, which does not change while it
 * waits.  A signal may wake any of the waiting threads: the explorer chooses.
 *
 * There are no spurious wake-ups, unless --spurious allows some.  Then a choice
 * before a wait says whether the wait may end without a signal, like a timed
 * one.  Always to allow it would hide that a thread waits for ever.
 *
 * A timed wait can end at any moment, so its thread is always enabled.  Its end
 * is one more event on the condition variable, which finds out whether a signal
 * came before it.  It must be the same event in both cases.  If the signal
 * replaced it, an execution with the signal first would not show that the
 * timeout could have been first.
 *
 * A wait unlocks its mutex once, as in glibc.  A recursive mutex that the
 * thread holds more than once stays locked meanwhile, and the lock after the
 * wait succeeds at once, because the thread still owns the mutex.
 *
 * Where loops of timed waits go round in vain (engine/timed.c) the end of a
 * wait by time and the lock are one event on the mutex.  Then a signal has one
 * more alternative if all waiting threads are in timed waits: it comes just
 * behind the ends of their waits.  A broadcast may miss any of them.
 *
 * Data races: a signal happens before the next event of the thread that it
 * wakes.  All other order comes from the mutex.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "system/native/engine/engine.h"
#include "system/native/engine/interrupt.h"
#include "system/native/engine/kept_registers.h"
#include "system/native/pthread/cancel.h"
#include "system/native/pthread/sync.h"
#include "system/native/engine/timed.h"
#include "system/native/engine/timekeeping.h"

/* prog: overlays pthread_cond_t and cnd_t; all zero is initialised. */
struct cond {
  uint32_t life;
  uint32_t waiting;          /* length of the queue */
  struct thread *first;      /* in order of arrival */
  const struct mutex *mutex; /* used by the waiting threads */
};

_Static_assert(sizeof(struct cond) <= sizeof(pthread_cond_t),
               "the overlay fits");

/* Without a waiting thread a signal changes nothing: it only reads. */
static uint8_t cond_offers(const struct operation *op) {
  const struct cond *c = op->object;
  return !life_good(c->life) || c->first ? OFFER_WAITER : 0;
}

/* prog: an operation that finds the waiting threads.  Where it may miss some it
 * looks at their mutex, too. */
struct waking {
  struct object_step on;
  struct object_step mutex;
  struct access footprint[2];
};

static uint8_t waking_offers(const struct operation *op) {
  const struct waking *s = (const struct waking *)op;
  return mutex_offers(&s->mutex.op) | cond_offers(op);
}

static void waking_operation(struct waking *s, enum op op, struct cond *c,
                             uint64_t pc) {
  struct mutex *m = timed_mutex(c);
  object_operation(&s->on, op, c, cond_offers, pc);
  if (!m)
    return;
  object_operation(&s->mutex, op, m, mutex_offers, pc);
  object_reading(&s->mutex);
  s->footprint[0] = s->on.access;
  s->footprint[1] = s->mutex.access;
  s->on.op.accesses = 2;
  s->on.op.access = s->footprint;
  s->on.op.offers = waking_offers;
}

static void waking_begin(struct waking *s, struct cond *c) {
  object_visible(&s->on, sizeof *c);
  life_check(c->life, false, "condition variable", s->on.op.pc);
}

int cond_init(struct cond *c, uint64_t pc) {
  struct object_step s;
  object_operation(&s, OP_INIT, c, cond_offers, pc);
  object_visible(&s, sizeof *c);
  SET(*c, ((struct cond){.life = LIFE_MADE}));
  return 0;
}

/* ---- the queue -------------------------------------------------------- */

static void enqueue(struct cond *c, struct thread *t) {
  struct thread **end = &c->first;
  while (*end)
    end = &(*end)->next_waiter;
  SET(t->next_waiter, NULL);
  SET(*end, t);
  SET(c->waiting, c->waiting + 1);
}

static void dequeue(struct cond *c, struct thread *t) {
  struct thread **place = &c->first;
  while (*place != t)
    place = &(*place)->next_waiter;
  SET(*place, t->next_waiter);
  SET(t->next_waiter, NULL);
  SET(c->waiting, c->waiting - 1);
  if (!c->first)
    SET(c->mutex, NULL);
}

static void wake(struct cond *c, struct thread *t) {
  dequeue(c, t);
  SET(t->woken, 1);
  SET(t->signal, step_now());
  if (!t->resume) /* a timed wait looks at `woken` itself */
    return;
  time_carry(current(), t);
  interrupt_replace(t, t->asleep, t->resume);
}

/* ---- waiting ---------------------------------------------------------- */

/* prog: on the stack of a waiting thread. */
struct waiting {
  struct operation enter;     /* first event: unlocks, joins the queue */
  struct access footprint[2]; /* of that: the condition variable, the mutex */
  struct object_step asleep;  /* then this, ... */
  struct object_step lock;    /* ... and at last this */
  struct access last[2];      /* of both ends as one event */
};

/* It is an operation on both objects. */
static uint8_t wait_offers(const struct operation *op) {
  const struct waiting *w = (const struct waiting *)op;
  return mutex_offers(&w->lock.op) | cond_offers(op);
}

/* How a wait may end other than by a signal. */
enum patience { PATIENT, TIMED, SPURIOUS };

/* Are the end of such a wait and the lock one event?  Then whether it has ended
 * shows in signals. */
static bool may_be_missed(const struct mutex *m, enum patience patience,
                          bool cancellable) {
  return engine.misses && patience == TIMED && !cancellable &&
         !(step_extras & EXTRA_SIGNALS) && engine.mode == MODE_EXPLORE &&
         !current()->atomic_depth && !mutex_is_nested(m);
}

bool choose_spurious(uint64_t pc) {
  struct thread *me = current();
  if (engine.mode != MODE_EXPLORE || me->atomic_depth ||
      me->spurious >= engine.control->options.spurious || !choose_one(2, pc))
    return false;
  SET(me->spurious, me->spurious + 1);
  return true;
}

static enum patience choose_patience(bool timed, uint64_t pc) {
  return choose_spurious(pc) ? SPURIOUS : timed ? TIMED : PATIENT;
}

static void describe(struct waiting *w, struct cond *c, struct mutex *m,
                     enum patience timed, uint64_t pc) {
  static const enum op ops[] = {
      [PATIENT] = OP_WAIT, [TIMED] = OP_TIMEOUT, [SPURIOUS] = OP_SPURIOUS};
  object_operation(&w->asleep, ops[timed], c, cond_offers, pc);
  if (mutex_is_nested(m))
    object_operation(&w->lock, OP_LOCK, m, mutex_offers, pc);
  else
    mutex_lock_operation(&w->lock, m, pc);
  w->footprint[0] = w->asleep.access;
  w->footprint[1] = w->lock.access;
  w->enter = w->asleep.op;
  w->enter.op = OP_WAIT;
  w->enter.order = __ATOMIC_RELEASE; /* of the mutex */
  w->enter.accesses = 2;
  w->enter.access = w->footprint;
  w->enter.offers = wait_offers;
  if (timed)
    return;
  w->asleep.op.flags = STEP_BLOCKING;
  w->asleep.op.accesses = 0;
  w->asleep.op.ready = never_ready;
}

/* Of the end of a wait that locks the mutex, too. */
static uint8_t joined_offers(const struct operation *op) {
  const char *asleep = (const char *)op;
  const struct waiting *w =
      (const struct waiting *)(asleep - offsetof(struct waiting, asleep.op));
  return wait_offers(&w->enter);
}

/* The end of the wait locks the mutex, too. */
static void join_lock(struct waiting *w) {
  w->enter.timed = TIMED_BEGINS;
  w->last[0] = w->footprint[1];
  w->last[1] = w->footprint[0];
  w->asleep = w->lock;
  w->asleep.op.accesses = 2;
  w->asleep.op.access = w->last;
  w->asleep.op.timed = TIMED_ENDS;
  w->asleep.op.offers = joined_offers;
}

static bool is_joined(const struct thread *t) {
  return t->asleep && t->asleep->timed == TIMED_ENDS;
}

static void miss(struct cond *c, struct thread *t) {
  dequeue(c, t);
  SET(t->missed, 1);
  SET(t->signal, step_now());
}

static bool is_woken(const struct operation *op) {
  return thread_get(op->target)->woken;
}

/* The wait may also end because its thread is cancelled.  Then it is one event
 * in both cases, as a timed wait is. */
static void may_be_cancelled(struct waiting *w, const struct thread *me) {
  w->asleep.op.accesses = 1;
  w->asleep.op.ready = is_woken;
  w->asleep.op.target = me->id;
}

/* The signal of one that is cancelled and was woken is not lost: it goes on and
 * is cancelled at its next cancellation point. */
static bool was_cancelled(struct cond *c, struct waiting *w) {
  bool cancelled = cancel_visible(&w->asleep.op);
  if (self->woken && !cancelled && w->asleep.op.ready)
    step_caused_by(self->signal);
  if (cancelled)
    footprint_add(c, OBJECT_SIZE, ACCESS_ATOMIC | ACCESS_WRITE);
  return cancelled && !self->woken;
}

/* Returns 0, or EPERM if the mutex is of a kind that reports a wrong unlock. */
static int check_mutex(const struct cond *c, const struct mutex *m,
                       uint64_t pc) {
  mutex_check(m, pc);
  if (!mutex_held_by(m, current())) {
    if (mutex_reports_wrong_unlock(m))
      return EPERM;
    fail(FINDING_MISUSE, pc,
         "wait on a condition variable with a mutex that the thread does not "
         "hold");
  }
  if (c->first && c->mutex != m)
    fail(FINDING_MISUSE, pc,
         "wait on a condition variable with another mutex than T%u",
         c->first->id);
  return 0;
}

/* `until`: NULL, or a valid time. */
static int wait_for(struct cond *c, struct mutex *m,
                    const struct timespec *until, uint64_t pc) {
  struct thread *me = current();
  struct waiting w;
  struct timespec end = until ? *until : (struct timespec){0};
  enum patience timed = choose_patience(until, pc);
  bool cancellable = cancel_possible();
  bool joined = may_be_missed(m, timed, cancellable);
  describe(&w, c, m, timed, pc);
  if (joined)
    join_lock(&w);
  if (cancellable && !timed)
    may_be_cancelled(&w, me);
  stored_object(c, sizeof *c);
  stored_object(m, sizeof *m);
  kept_registers_clear();
  visible(&w.enter);
  heap_check(c, sizeof *c, true, pc);
  heap_check(m, sizeof *m, true, pc);
  life_check(c->life, false, "condition variable", pc);
  int code = check_mutex(c, m, pc);
  if (code) {
    step_has_order(__ATOMIC_RELAXED);
    return code;
  }

  if (timed == TIMED) {
    timed_begins();
    timed_use(c, m);
  }
  mutex_drop(m);
  enqueue(c, me);
  SET(c->mutex, m);
  SET(me->woken, 0);
  SET(me->missed, 0);
  SET(me->resume, timed || cancellable ? NULL : &w.lock.op);
  SET(me->asleep, &w.asleep.op);
  bool cancelled = false;
  kept_registers_clear();
  if (cancellable)
    cancelled = was_cancelled(c, &w);
  else
    visible(&w.asleep.op); /* untimed: returns when w.lock is taken */
  bool woken = me->woken;
  bool missed = me->missed;
  SET(me->woken, 0); /* a wait that is over leaves nothing in the state */
  SET(me->missed, 0);
  SET(me->resume, NULL);
  SET(me->asleep, NULL);
  if (timed || cancellable) {
    if (woken)
      step_signalled_by(me->signal);
    else if (!missed)
      dequeue(c, me);
    if (timed == TIMED && !woken && !cancelled)
      time_reach(&end);
    if (!joined)
      visible(&w.lock.op);
  }
  mutex_check(m, pc);
  code = mutex_take(m, me);
  if (cancelled)
    cancel_act();
  return code ? code : woken || timed == SPURIOUS ? 0 : ETIMEDOUT;
}

int cond_wait(struct cond *c, struct mutex *m, uint64_t pc) {
  return wait_for(c, m, NULL, pc);
}

int cond_timedwait(struct cond *c, struct mutex *m,
                   const struct timespec *until, uint64_t pc) {
  if (!time_valid(until, pc))
    return EINVAL;
  return wait_for(c, m, until, pc);
}

/* ---- waking ----------------------------------------------------------- */

static struct thread *waiter(const struct cond *c, unsigned k) {
  struct thread *t = c->first;
  while (k-- > 0)
    t = t->next_waiter;
  return t;
}

static bool all_may_be_missed(const struct cond *c) {
  const struct thread *t = c->first;
  while (t && is_joined(t))
    t = t->next_waiter;
  return !t && c->first;
}

int cond_signal(struct cond *c, uint64_t pc) {
  struct waking s;
  waking_operation(&s, OP_SIGNAL, c, pc);
  object_conditional(&s.on, OFFER_WAITER);
  waking_begin(&s, c);
  if (!c->first) {
    footprint_only_read();
    return 0;
  }
  unsigned count = c->waiting;
  unsigned chosen = choose(count + all_may_be_missed(c));
  if (chosen < count)
    wake(c, waiter(c, chosen));
  while (chosen == count && c->first)
    miss(c, c->first);
  return 0;
}

/* Which of the threads in timed waits a broadcast has missed: one bit each. */
static unsigned choose_missed(const struct cond *c) {
  enum { MOST = 12 };
  unsigned count = 0;
  for (const struct thread *t = c->first; t; t = t->next_waiter)
    count += is_joined(t);
  if (count > MOST)
    refuse("a broadcast to more than %d threads in timed waits", MOST);
  return choose(1u << count);
}

int cond_broadcast(struct cond *c, uint64_t pc) {
  struct waking s;
  waking_operation(&s, OP_BROADCAST, c, pc);
  object_conditional(&s.on, OFFER_WAITER);
  waking_begin(&s, c);
  if (!c->first)
    footprint_only_read();
  for (unsigned missed = choose_missed(c); c->first;) {
    bool may = is_joined(c->first);
    if (may && (missed & 1))
      miss(c, c->first);
    else
      wake(c, c->first);
    missed >>= may;
  }
  return 0;
}

int cond_destroy(struct cond *c, uint64_t pc) {
  struct waking s;
  waking_operation(&s, OP_DESTROY, c, pc);
  waking_begin(&s, c);
  unsigned chosen = all_may_be_missed(c) ? choose(2) : 0;
  while (chosen && c->first)
    miss(c, c->first);
  if (c->first)
    fail(FINDING_MISUSE, pc,
         "destruction of a condition variable that T%u waits on", c->first->id);
  SET(c->life, LIFE_OVER);
  return 0;
}

/* ---- attributes ------------------------------------------------------- */

/* prog: overlays pthread_condattr_t.  Neither field has a meaning here. */
struct cond_attributes {
  uint8_t shared;
  uint8_t clock;
};

_Static_assert(sizeof(struct cond_attributes) <= sizeof(pthread_condattr_t),
               "the overlay fits");

static struct cond_attributes *attributes(const pthread_condattr_t *a) {
  return (struct cond_attributes *)(uintptr_t)a;
}

INTERPOSED int pthread_condattr_init(pthread_condattr_t *a) {
  PUT(*attributes(a), ((struct cond_attributes){0, CLOCK_REALTIME}));
  return 0;
}

INTERPOSED int pthread_condattr_destroy(pthread_condattr_t *a) {
  (void)a;
  return 0;
}

INTERPOSED int pthread_condattr_setpshared(pthread_condattr_t *a, int shared) {
  if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED)
    return EINVAL;
  PUT(attributes(a)->shared, (uint8_t)shared);
  return 0;
}

INTERPOSED int pthread_condattr_getpshared(const pthread_condattr_t *a,
                                           int *shared) {
  PUT(*shared, LOOK(attributes(a)->shared));
  return 0;
}

INTERPOSED int pthread_condattr_setclock(pthread_condattr_t *a,
                                         clockid_t clock) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
    return EINVAL;
  PUT(attributes(a)->clock, (uint8_t)clock);
  return 0;
}

INTERPOSED int pthread_condattr_getclock(const pthread_condattr_t *a,
                                         clockid_t *clock) {
  PUT(*clock, LOOK(attributes(a)->clock));
  return 0;
}

/* ---- the program's names ---------------------------------------------- */

INTERPOSED int pthread_cond_init(pthread_cond_t *c,
                                 const pthread_condattr_t *a) {
  (void)a;
  return cond_init((struct cond *)c, CALLER);
}

INTERPOSED int pthread_cond_destroy(pthread_cond_t *c) {
  return cond_destroy((struct cond *)c, CALLER);
}

INTERPOSED int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) {
  return cond_wait((struct cond *)c, (struct mutex *)m, CALLER);
}

INTERPOSED int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
                                      const struct timespec *until) {
  return cond_timedwait((struct cond *)c, (struct mutex *)m, until, CALLER);
}

INTERPOSED int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m,
                                      clockid_t clock,
                                      const struct timespec *until) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
    return EINVAL;
  return cond_timedwait((struct cond *)c, (struct mutex *)m, until, CALLER);
}

INTERPOSED int pthread_cond_signal(pthread_cond_t *c) {
  return cond_signal((struct cond *)c, CALLER);
}

INTERPOSED int pthread_cond_broadcast(pthread_cond_t *c) {
  return cond_broadcast((struct cond *)c, CALLER);
}
