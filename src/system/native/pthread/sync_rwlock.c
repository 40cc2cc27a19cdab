/* Read-write locks.
 *
 * Each thread remembers which locks it holds for reading, so that an unlock by
 * a thread that does not hold the lock is found.  As in glibc, locking a lock
 * again that the thread holds for writing returns EDEADLK, and locking one for
 * writing that it holds for reading waits for ever.
 *
 * When readers and writers wait, all orders are explored.  The exception is
 * PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP: a waiting writer keeps readers
 * out.  Locking it for writing is two events: the writer announces itself, then
 * takes the lock when it is free.  As in glibc, a reader may not join other
 * readers while a writer is announced.  The last reader that leaves passes the
 * lock on to an announced writer, and so does a writer.  But if the writer
 * announces itself while the lock is free, and the last thread to hold it was a
 * reader, a new reader may be faster than the writer.  glibc treats
 * PTHREAD_RWLOCK_PREFER_WRITER_NP like the default: readers may lock
 * recursively.
 *
 * As long as no writer was ever seen, in any execution, readers only read the
 * lock, and the number of readers is not in it (see engine/commuting.c): a
 * reader never waits, and what it does depends on no other reader.  The lists
 * of the threads say whether the lock is held when it is destroyed, which is a
 * write of the lock.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "system/native/engine/timekeeping.h"
#include "system/native/pthread/sync.h"

/* prog: overlays pthread_rwlock_t; static initialisers leave these bytes 0. */
struct rwlock {
  uint32_t writer;  /* 1 + the writing thread's number, or 0 */
  uint32_t readers; /* if writers were ever seen */
  uint32_t life;
  uint32_t announced; /* waiting writers, if writers are preferred */
  uint32_t passed_on; /* to them; also 1 if the last holder was a writer, and
                         writers are preferred */
};

_Static_assert(sizeof(struct rwlock) <=
                   offsetof(pthread_rwlock_t, __data.__flags),
               "the kind in a static initialiser is left alone");
_Static_assert(sizeof(struct rwlock) <= RWLOCK_SIZE, "see round.c");

/* The kind never changes, from the initialisation on. */
static bool prefers_writers(const struct rwlock *l) {
  return ((const pthread_rwlock_t *)l)->__data.__flags ==
         PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

static bool lets_readers_in(const struct rwlock *l) {
  if (l->writer)
    return false;
  return !l->announced || (!l->readers && !l->passed_on);
}

/* ---- what a thread reads ---------------------------------------------- */

static struct read_lock *read_lock_of(struct thread *t,
                                      const struct rwlock *l) {
  for (uint32_t i = 0; i < t->read_locks; i++)
    if (t->read_lock[i].lock == l)
      return &t->read_lock[i];
  return NULL;
}

static struct thread *some_reader(const struct rwlock *l) {
  for (unsigned t = 0; t < thread_count(); t++)
    if (read_lock_of(thread_get(t), l))
      return thread_get(t);
  return NULL;
}

static bool is_read(const struct rwlock *l) {
  return object_is_apart(l) ? some_reader(l) != NULL : l->readers;
}

static uint8_t rwlock_offers(const struct operation *op) {
  const struct rwlock *l = op->object;
  if (!life_good(l->life))
    return OFFER_ONE | OFFER_SHARED | OFFER_IDLE;
  bool alike = !(op->access->mode & ACCESS_WRITE); /* a reader among readers */
  bool is_free = !l->writer && (alike || !is_read(l));
  return (is_free ? OFFER_ONE : 0) | (lets_readers_in(l) ? OFFER_SHARED : 0) |
         (is_free && !l->announced ? OFFER_IDLE : 0);
}

static void announce(struct object_step *s, struct rwlock *l) {
  object_visible(s, sizeof(pthread_rwlock_t));
  life_check(l->life, false, "read-write lock", s->op.pc);
}

/* Does the running thread hold it for writing?  Only its own steps change
 * that. */
static bool writes(const struct rwlock *l) {
  return life_good(l->life) && l->writer == current()->id + 1;
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
  if (object_is_apart(l))
    return;
  SET(l->readers, l->readers + 1);
  SET(l->passed_on, 0);
}

static void drop_shared(struct rwlock *l, struct read_lock *held) {
  struct thread *me = current();
  if (!object_is_apart(l)) {
    SET(l->readers, l->readers - 1);
    SET(l->passed_on, !l->readers && l->announced);
  }
  SET(held->count, held->count - 1);
  if (held->count)
    return;
  SET(*held, me->read_lock[me->read_locks - 1]);
  SET(me->read_locks, me->read_locks - 1);
}

/* Is the operation a reader's, and have all been? */
static bool is_among_readers(const struct rwlock *l, uint8_t wants) {
  if (wants != OFFER_SHARED)
    object_becomes_ordered(l);
  return wants == OFFER_SHARED && object_commutes(l);
}

/* ---- operations ------------------------------------------------------- */

static void take_alone(struct rwlock *l) {
  SET(l->writer, current()->id + 1);
  SET(l->passed_on, prefers_writers(l)); /* elsewhere it keeps states apart */
}

static void take(struct rwlock *l, uint8_t wants) {
  if (wants == OFFER_SHARED)
    take_shared(l);
  else
    take_alone(l);
}

/* A preferred writer begins to wait.  This event synchronises with none, as far
 * as data races are concerned. */
static void begin_to_wait(struct rwlock *l, uint64_t pc) {
  struct object_step s;
  object_operation(&s, OP_ANNOUNCE, l, rwlock_offers, pc);
  s.op.order = __ATOMIC_RELAXED;
  announce(&s, l);
  SET(l->announced, l->announced + 1);
}

static bool has_to_announce(const struct rwlock *l, uint8_t wants) {
  return life_good(l->life) && wants == OFFER_ONE && prefers_writers(l);
}

/* A reader's operation, which does not synchronise readers with each other. */
static void share(struct object_step *s, uint8_t wants) {
  if (wants == OFFER_SHARED)
    s->op.flags |= STEP_SHARED;
}

static int would_deadlock(struct object_step *s, struct rwlock *l) {
  object_reading(s);
  announce(s, l);
  return EDEADLK;
}

/* A lock that is not free for readers, though no writer was seen, was
 * overwritten. */
static int join_readers(struct object_step *s, struct rwlock *l) {
  object_reading(s);
  share(s, OFFER_SHARED);
  announce(s, l);
  if (!lets_readers_in(l))
    object_becomes_ordered(l);
  take_shared(l);
  return 0;
}

static int lock(struct rwlock *l, enum op op, uint8_t wants, uint64_t pc) {
  struct object_step s;
  object_operation(&s, op, l, rwlock_offers, pc);
  if (writes(l))
    return would_deadlock(&s, l);
  if (is_among_readers(l, wants))
    return join_readers(&s, l);
  bool announced = has_to_announce(l, wants);
  if (announced)
    begin_to_wait(l, pc);
  object_blocking(&s, wants);
  share(&s, wants);
  announce(&s, l);
  if (announced)
    SET(l->announced, l->announced - 1);
  take(l, wants);
  return 0;
}

static int lock_or(struct object_step *s, struct rwlock *l, uint8_t wants,
                   int code) {
  if (is_among_readers(l, wants))
    return join_readers(s, l);
  object_conditional(s, wants);
  share(s, wants);
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

/* A timed lock that gives up lets readers in again, so it is a write, too. */
static int announced_timedlock(struct object_step *s, struct rwlock *l) {
  object_becomes_ordered(l);
  begin_to_wait(l, s->op.pc);
  announce(s, l);
  bool is_free = !l->writer && !is_read(l);
  SET(l->announced, l->announced - 1);
  if (!is_free) {
    step_has_order(__ATOMIC_RELAXED);
    return ETIMEDOUT;
  }
  take_alone(l);
  return 0;
}

static int lock_in_time(struct rwlock *l, enum op op, uint8_t wants,
                        uint64_t pc) {
  struct object_step s;
  object_operation(&s, op, l, rwlock_offers, pc);
  if (writes(l))
    return would_deadlock(&s, l);
  if (has_to_announce(l, wants))
    return announced_timedlock(&s, l);
  return lock_or(&s, l, wants, ETIMEDOUT);
}

static int timedlock(struct rwlock *l, enum op op, uint8_t wants,
                     const struct timespec *until, uint64_t pc) {
  if (!time_valid(until, pc))
    return EINVAL;
  struct timespec end = *until;
  int code = lock_in_time(l, op, wants, pc);
  if (code == ETIMEDOUT)
    time_reach(&end);
  return code;
}

static int unlock(struct rwlock *l, uint64_t pc) {
  struct object_step s;
  object_operation(&s, OP_RWUNLOCK, l, rwlock_offers, pc);
  share(&s, writes(l) ? OFFER_ONE : OFFER_SHARED);
  if (!writes(l) && object_commutes(l))
    object_reading(&s);
  announce(&s, l);
  struct read_lock *held = read_lock_of(current(), l);
  if (writes(l))
    SET(l->writer, 0);
  else if (held && is_read(l))
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
  if (l->writer || is_read(l))
    fail(FINDING_MISUSE, pc, "destruction of a read-write lock that is held");
  SET(l->life, LIFE_OVER);
  return 0;
}

static int init(struct rwlock *l, unsigned kind, uint64_t pc) {
  struct object_step s;
  object_operation(&s, OP_INIT, l, rwlock_offers, pc);
  object_visible(&s, sizeof(pthread_rwlock_t));
  if (is_read(l)) /* its readers no longer hold it */
    object_becomes_ordered(l);
  SET(*l, ((struct rwlock){.life = LIFE_MADE}));
  SET(((pthread_rwlock_t *)l)->__data.__flags, kind);
  return 0;
}

struct thread *rwlock_holder(const struct operation *op) {
  const struct rwlock *l = op->object;
  if (op->offers != rwlock_offers)
    return NULL;
  if (l->writer)
    return thread_get(l->writer - 1);
  return some_reader(l);
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
  PUT(*attributes(a), ((struct rwlock_attributes){0}));
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
  PUT(attributes(a)->shared, (uint8_t)shared);
  return 0;
}

INTERPOSED int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *a,
                                             int *shared) {
  PUT(*shared, LOOK(attributes(a)->shared));
  return 0;
}

INTERPOSED int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *a,
                                             int kind) {
  if (kind < PTHREAD_RWLOCK_PREFER_READER_NP ||
      kind > PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
    return EINVAL;
  PUT(attributes(a)->kind, (uint8_t)kind);
  return 0;
}

INTERPOSED int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *a,
                                             int *kind) {
  PUT(*kind, LOOK(attributes(a)->kind));
  return 0;
}

/* ---- the program's names ---------------------------------------------- */

INTERPOSED int pthread_rwlock_init(pthread_rwlock_t *l,
                                   const pthread_rwlockattr_t *a) {
  return init((struct rwlock *)l, a ? LOOK(attributes(a)->kind) : 0, CALLER);
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
  return trylock((struct rwlock *)l, OP_TRYWRLOCK, OFFER_IDLE, CALLER);
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
