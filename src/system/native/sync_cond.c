/* Condition variables.
 *
 * A wait is several events: one that releases the mutex and joins the queue
 * (on the condition variable and the mutex), and a lock of the mutex after
 * being woken.  In between the thread waits with an operation that is never
 * ready; the signal that picks it replaces that operation by the lock.  The
 * lock was prepared on the waiting thread's own stack, which does not change
 * while it waits.  There are no spurious wakeups.  A signal may wake any of the
 * waiting threads: that is a choice.
 *
 * A timed wait can end at any moment, so its thread is always enabled: one more
 * event on the condition variable, which finds out whether a signal came
 * before it.  It must be one and the same event in both cases.  If the signal
 * replaced it, nothing in an execution where the signal came first would show
 * that the timeout could have been first.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "system/native/sync.h"

/* prog: overlays pthread_cond_t and cnd_t; all zero is initialised. */
struct cond {
  uint32_t life;
  uint32_t waiting;          /* length of the queue */
  struct thread *first;      /* in order of arrival */
  const struct mutex *mutex; /* that the waiting threads use */
};

_Static_assert(sizeof(struct cond) <= sizeof(pthread_cond_t),
               "the overlay fits");

static void announce(struct object_step *s, struct cond *c) {
  object_visible(s, sizeof *c);
  life_check(c->life, false, "condition variable", s->op.pc);
}

int cond_init(struct cond *c, uint64_t pc) {
  struct object_step s;
  object_operation(&s, OP_INIT, c, NULL, pc);
  object_visible(&s, sizeof *c);
  SET(*c, ((struct cond){.life = LIFE_MADE}));
  return 0;
}

int cond_destroy(struct cond *c, uint64_t pc) {
  struct object_step s;
  object_operation(&s, OP_DESTROY, c, NULL, pc);
  announce(&s, c);
  if (c->first)
    fail(FINDING_MISUSE, pc,
         "destruction of a condition variable that thread %u waits on",
         c->first->id);
  SET(c->life, LIFE_OVER);
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
  SET(c->waiting, c->waiting - 1);
}

static void wake(struct cond *c, struct thread *t) {
  dequeue(c, t);
  SET(t->woken, 1);
  if (!t->resume) /* a timed wait finds out by itself */
    return;
  SET(t->cause, step_now());
  SET(t->pending, t->resume);
}

/* ---- waiting ---------------------------------------------------------- */

/* prog: what a waiting thread has on its stack. */
struct waiting {
  struct operation enter;     /* first event: leaves the mutex, joins */
  struct access footprint[2]; /* of that: the condition variable, the mutex */
  struct object_step asleep;  /* then this, ... */
  struct object_step lock;    /* ... and at last this */
};

/* The wait offers what the mutex does: it is an operation on both. */
static uint8_t wait_offers(const struct operation *op) {
  const struct waiting *w = (const struct waiting *)op;
  return mutex_offers(&w->lock.op);
}

static void describe(struct waiting *w, struct cond *c, struct mutex *m,
                     bool timed, uint64_t pc) {
  object_operation(&w->asleep, timed ? OP_TIMEOUT : OP_WAIT, c, NULL, pc);
  mutex_lock_operation(&w->lock, m, pc);
  w->footprint[0] = w->asleep.access;
  w->footprint[1] = w->lock.access;
  w->enter = w->asleep.op;
  w->enter.op = OP_WAIT;
  w->enter.accesses = 2;
  w->enter.access = w->footprint;
  w->enter.offers = wait_offers;
  if (timed)
    return;
  w->asleep.op.flags = STEP_BLOCKING;
  w->asleep.op.accesses = 0;
  w->asleep.op.ready = never_ready;
}

/* Returns 0, or EPERM where the kind of mutex asks for that. */
static int check_mutex(const struct cond *c, const struct mutex *m,
                       uint64_t pc) {
  mutex_check(m, pc);
  if (!mutex_held_by(m, current())) {
    if (m->kind == MUTEX_ERRORCHECK)
      return EPERM;
    fail(FINDING_MISUSE, pc,
         "wait on a condition variable with a mutex that the thread does not "
         "hold");
  }
  if (c->first && c->mutex != m)
    fail(FINDING_MISUSE, pc,
         "wait on a condition variable with another mutex than thread %u",
         c->first->id);
  return 0;
}

static int wait_for(struct cond *c, struct mutex *m, bool timed, uint64_t pc) {
  struct thread *me = current();
  struct waiting w;
  describe(&w, c, m, timed, pc);
  visible(&w.enter);
  heap_check(c, sizeof *c, true, pc);
  heap_check(m, sizeof *m, true, pc);
  life_check(c->life, false, "condition variable", pc);
  int code = check_mutex(c, m, pc);
  if (code)
    return code;

  uint32_t count = mutex_drop(m);
  enqueue(c, me);
  SET(c->mutex, m);
  SET(me->woken, 0);
  SET(me->resume, timed ? NULL : &w.lock.op);
  visible(&w.asleep.op); /* untimed: returns when w.lock is taken */
  bool woken = me->woken;
  if (timed) {
    if (!woken)
      dequeue(c, me);
    visible(&w.lock.op);
  }
  mutex_check(m, pc);
  mutex_take(m, me, count);
  return woken ? 0 : ETIMEDOUT;
}

int cond_wait(struct cond *c, struct mutex *m, uint64_t pc) {
  return wait_for(c, m, false, pc);
}

int cond_timedwait(struct cond *c, struct mutex *m,
                   const struct timespec *until, uint64_t pc) {
  if (!time_valid(until))
    return EINVAL;
  return wait_for(c, m, true, pc);
}

/* ---- waking ----------------------------------------------------------- */

static struct thread *waiter(const struct cond *c, unsigned k) {
  struct thread *t = c->first;
  while (k-- > 0)
    t = t->next_waiter;
  return t;
}

int cond_signal(struct cond *c, uint64_t pc) {
  struct object_step s;
  object_operation(&s, OP_SIGNAL, c, NULL, pc);
  announce(&s, c);
  if (c->waiting)
    wake(c, waiter(c, c->waiting > 1 ? choose(c->waiting) : 0));
  return 0;
}

int cond_broadcast(struct cond *c, uint64_t pc) {
  struct object_step s;
  object_operation(&s, OP_BROADCAST, c, NULL, pc);
  announce(&s, c);
  while (c->first)
    wake(c, c->first);
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
  SET(*attributes(a), ((struct cond_attributes){0, CLOCK_REALTIME}));
  return 0;
}

INTERPOSED int pthread_condattr_destroy(pthread_condattr_t *a) {
  (void)a;
  return 0;
}

INTERPOSED int pthread_condattr_setpshared(pthread_condattr_t *a, int shared) {
  if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED)
    return EINVAL;
  SET(attributes(a)->shared, (uint8_t)shared);
  return 0;
}

INTERPOSED int pthread_condattr_getpshared(const pthread_condattr_t *a,
                                           int *shared) {
  SET(*shared, attributes(a)->shared);
  return 0;
}

INTERPOSED int pthread_condattr_setclock(pthread_condattr_t *a,
                                         clockid_t clock) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
    return EINVAL;
  SET(attributes(a)->clock, (uint8_t)clock);
  return 0;
}

INTERPOSED int pthread_condattr_getclock(const pthread_condattr_t *a,
                                         clockid_t *clock) {
  SET(*clock, attributes(a)->clock);
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
