/* Read-write locks.
 *
 * Who goes first when readers and writers wait is not fixed: all orders are
 * explored, whatever preference the lock was given.  Each thread remembers
 * which locks it holds for reading, so that an unlock by a thread that holds
 * nothing is found.  As in glibc, locking again what the thread holds for
 * writing returns EDEADLK, and locking for writing what it holds for reading
 * waits for ever.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "system/native/sync.h"

/* prog: overlays pthread_rwlock_t; static initialisers leave these bytes 0. */
struct rwlock {
  uint32_t writer; /* 1 + number of the thread that writes, or 0 */
  uint32_t readers;
  uint32_t life;
};

_Static_assert(sizeof(struct rwlock) <=
                   offsetof(pthread_rwlock_t, __data.__flags),
               "the kind in a static initialiser is left alone");

static uint8_t rwlock_offers(const struct operation *op) {
  const struct rwlock *l = op->object;
  if (!life_good(l->life) || (!l->writer && !l->readers))
    return OFFER_ONE | OFFER_SHARED;
  return l->writer ? 0 : OFFER_SHARED;
}

static void announce(struct object_step *s, struct rwlock *l) {
  object_visible(s, sizeof *l);
  life_check(l->life, false, "read-write lock", s->op.pc);
}

/* Only the thread's own steps change this. */
static bool writes(const struct rwlock *l) {
  return life_good(l->life) && l->writer == current()->id + 1;
}

/* ---- what a thread reads ---------------------------------------------- */

static struct read_lock *read_lock_of(struct thread *t,
                                      const struct rwlock *l) {
  for (uint32_t i = 0; i < t->read_locks; i++)
    if (t->read_lock[i].lock == l)
      return &t->read_lock[i];
  return NULL;
}

static void take_shared(struct rwlock *l) {
  struct thread *me = current();
  struct read_lock *held = read_lock_of(me, l);
  if (!held) {
    if (me->read_locks == NATIVE_READ_LOCKS)
      refuse("a thread holds more than %d read-write locks for reading",
             NATIVE_READ_LOCKS);
    held = &me->read_lock[me->read_locks];
    SET(me->read_locks, me->read_locks + 1);
    SET(*held, ((struct read_lock){l, 0}));
  }
  SET(held->count, held->count + 1);
  SET(l->readers, l->readers + 1);
}

static void drop_shared(struct rwlock *l, struct read_lock *held) {
  struct thread *me = current();
  SET(l->readers, l->readers - 1);
  SET(held->count, held->count - 1);
  if (held->count)
    return;
  SET(*held, me->read_lock[me->read_locks - 1]);
  SET(me->read_locks, me->read_locks - 1);
}

/* ---- operations ------------------------------------------------------- */

static void take(struct rwlock *l, uint8_t wants) {
  if (wants == OFFER_SHARED)
    take_shared(l);
  else
    SET(l->writer, current()->id + 1);
}

static int would_deadlock(struct object_step *s, struct rwlock *l) {
  object_reading(s);
  announce(s, l);
  return EDEADLK;
}

static int lock(struct rwlock *l, enum op op, uint8_t wants, uint64_t pc) {
  struct object_step s;
  object_operation(&s, op, l, rwlock_offers, pc);
  if (writes(l))
    return would_deadlock(&s, l);
  object_blocking(&s, wants);
  announce(&s, l);
  take(l, wants);
  return 0;
}

static int lock_or(struct object_step *s, struct rwlock *l, uint8_t wants,
                   int code) {
  object_conditional(s, wants);
  announce(s, l);
  if (!(rwlock_offers(&s->op) & wants)) {
    footprint_only_read();
    return code;
  }
  take(l, wants);
  return 0;
}

static int trylock(struct rwlock *l, enum op op, uint8_t wants, uint64_t pc) {
  struct object_step s;
  object_operation(&s, op, l, rwlock_offers, pc);
  return lock_or(&s, l, wants, EBUSY);
}

static int timedlock(struct rwlock *l, enum op op, uint8_t wants,
                     const struct timespec *until, uint64_t pc) {
  struct object_step s;
  object_operation(&s, op, l, rwlock_offers, pc);
  if (!time_valid(until))
    return EINVAL;
  if (writes(l))
    return would_deadlock(&s, l);
  return lock_or(&s, l, wants, ETIMEDOUT);
}

static int unlock(struct rwlock *l, uint64_t pc) {
  struct object_step s;
  object_operation(&s, OP_RWUNLOCK, l, rwlock_offers, pc);
  announce(&s, l);
  struct read_lock *held = read_lock_of(current(), l);
  if (writes(l))
    SET(l->writer, 0);
  else if (held && l->readers)
    drop_shared(l, held);
  else
    fail(FINDING_MISUSE, pc,
         "unlock of a read-write lock that the thread does not hold");
  return 0;
}

static int destroy(struct rwlock *l, uint64_t pc) {
  struct object_step s;
  object_operation(&s, OP_DESTROY, l, rwlock_offers, pc);
  announce(&s, l);
  if (l->writer || l->readers)
    fail(FINDING_MISUSE, pc, "destruction of a read-write lock that is held");
  SET(l->life, LIFE_OVER);
  return 0;
}

static int init(struct rwlock *l, uint64_t pc) {
  struct object_step s;
  object_operation(&s, OP_INIT, l, rwlock_offers, pc);
  object_visible(&s, sizeof *l);
  SET(*l, ((struct rwlock){.life = LIFE_MADE}));
  return 0;
}

struct thread *rwlock_holder(const struct operation *op) {
  const struct rwlock *l = op->object;
  if (op->offers != rwlock_offers)
    return NULL;
  if (l->writer)
    return thread_get(l->writer - 1);
  for (unsigned t = 0; t < thread_count(); t++)
    if (read_lock_of(thread_get(t), l))
      return thread_get(t);
  return NULL;
}

/* ---- attributes ------------------------------------------------------- */

/* prog: overlays pthread_rwlockattr_t. */
struct rwlock_attributes {
  uint8_t shared;
  uint8_t kind;
};

_Static_assert(sizeof(struct rwlock_attributes) <= sizeof(pthread_rwlockattr_t),
               "the overlay fits");

static struct rwlock_attributes *attributes(const pthread_rwlockattr_t *a) {
  return (struct rwlock_attributes *)(uintptr_t)a;
}

INTERPOSED int pthread_rwlockattr_init(pthread_rwlockattr_t *a) {
  SET(*attributes(a), ((struct rwlock_attributes){0}));
  return 0;
}

INTERPOSED int pthread_rwlockattr_destroy(pthread_rwlockattr_t *a) {
  (void)a;
  return 0;
}

INTERPOSED int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *a,
                                             int shared) {
  if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED)
    return EINVAL;
  SET(attributes(a)->shared, (uint8_t)shared);
  return 0;
}

INTERPOSED int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *a,
                                             int *shared) {
  SET(*shared, attributes(a)->shared);
  return 0;
}

INTERPOSED int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *a,
                                             int kind) {
  if (kind < PTHREAD_RWLOCK_PREFER_READER_NP ||
      kind > PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
    return EINVAL;
  SET(attributes(a)->kind, (uint8_t)kind);
  return 0;
}

INTERPOSED int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *a,
                                             int *kind) {
  SET(*kind, attributes(a)->kind);
  return 0;
}

/* ---- the program's names ---------------------------------------------- */

INTERPOSED int pthread_rwlock_init(pthread_rwlock_t *l,
                                   const pthread_rwlockattr_t *a) {
  (void)a;
  return init((struct rwlock *)l, CALLER);
}

INTERPOSED int pthread_rwlock_destroy(pthread_rwlock_t *l) {
  return destroy((struct rwlock *)l, CALLER);
}

INTERPOSED int pthread_rwlock_rdlock(pthread_rwlock_t *l) {
  return lock((struct rwlock *)l, OP_RDLOCK, OFFER_SHARED, CALLER);
}

INTERPOSED int pthread_rwlock_wrlock(pthread_rwlock_t *l) {
  return lock((struct rwlock *)l, OP_WRLOCK, OFFER_ONE, CALLER);
}

INTERPOSED int pthread_rwlock_tryrdlock(pthread_rwlock_t *l) {
  return trylock((struct rwlock *)l, OP_TRYRDLOCK, OFFER_SHARED, CALLER);
}

INTERPOSED int pthread_rwlock_trywrlock(pthread_rwlock_t *l) {
  return trylock((struct rwlock *)l, OP_TRYWRLOCK, OFFER_ONE, CALLER);
}

INTERPOSED int pthread_rwlock_timedrdlock(pthread_rwlock_t *l,
                                          const struct timespec *until) {
  return timedlock((struct rwlock *)l, OP_TRYRDLOCK, OFFER_SHARED, until,
                   CALLER);
}

INTERPOSED int pthread_rwlock_timedwrlock(pthread_rwlock_t *l,
                                          const struct timespec *until) {
  return timedlock((struct rwlock *)l, OP_TRYWRLOCK, OFFER_ONE, until, CALLER);
}

INTERPOSED int pthread_rwlock_clockrdlock(pthread_rwlock_t *l, clockid_t clock,
                                          const struct timespec *until) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
    return EINVAL;
  return timedlock((struct rwlock *)l, OP_TRYRDLOCK, OFFER_SHARED, until,
                   CALLER);
}

INTERPOSED int pthread_rwlock_clockwrlock(pthread_rwlock_t *l, clockid_t clock,
                                          const struct timespec *until) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
    return EINVAL;
  return timedlock((struct rwlock *)l, OP_TRYWRLOCK, OFFER_ONE, until, CALLER);
}

INTERPOSED int pthread_rwlock_unlock(pthread_rwlock_t *l) {
  return unlock((struct rwlock *)l, CALLER);
}
