/* Mutexes.
 *
 * A thread that locks a mutex which it holds already: a normal mutex waits for
 * ever (the deadlock is found as any other), a recursive one counts, an
 * errorcheck one returns EDEADLK.  Whether the running thread holds a mutex can
 * only change by its own steps, so this may be decided before the operation is
 * announced.
 *
 * Time is not modelled: a timed lock takes the mutex if it is free, and times
 * out if it is not.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "system/native/engine/timekeeping.h"
#include "system/native/pthread/sync.h"

_Static_assert(sizeof(struct mutex) <= sizeof(pthread_mutex_t),
               "the overlay fits");
_Static_assert(offsetof(struct mutex, kind) ==
                   offsetof(pthread_mutex_t, __data.__kind),
               "static initialisers are understood");

bool mutex_held_by(const struct mutex *m, const struct thread *t) {
  return m->owner == t->id + 1;
}

static bool usable(const struct mutex *m) {
  return life_good(m->life) && m->kind >= MUTEX_NORMAL &&
         m->kind <= MUTEX_ADAPTIVE;
}

void mutex_check(const struct mutex *m, uint64_t pc) {
  life_check(m->life, false, "mutex", pc);
  if (!usable(m))
    fail(FINDING_MISUSE, pc, "use of a mutex that was never initialised");
}

uint8_t mutex_offers(const struct operation *op) {
  const struct mutex *m = op->object;
  return m->owner == 0 || !usable(m) ? OFFER_ONE : 0;
}

int mutex_take(struct mutex *m, struct thread *t) {
  if (m->robust == ROBUST_LOST)
    return ENOTRECOVERABLE;
  if (m->robust && !mutex_held_by(m, t)) {
    SET(m->next, t->robust);
    SET(t->robust, m);
  }
  SET(m->count, mutex_held_by(m, t) ? m->count + 1 : 1);
  SET(m->owner, t->id + 1);
  return m->robust == ROBUST_LEFT ? EOWNERDEAD : 0;
}

static void leave_list(struct mutex *m, struct thread *holder) {
  struct mutex **place = &holder->robust;
  while (*place && *place != m)
    place = &(*place)->next;
  if (*place)
    SET(*place, m->next);
}

void mutex_drop(struct mutex *m) {
  if (m->count <= 1) {
    if (m->robust)
      leave_list(m, current());
    if (m->robust == ROBUST_LEFT)
      SET(m->robust, ROBUST_LOST);
    SET(m->owner, 0);
  }
  SET(m->count, m->count ? m->count - 1 : 0);
}

bool mutex_is_nested(const struct mutex *m) {
  return usable(m) && m->kind == MUTEX_RECURSIVE &&
         mutex_held_by(m, current()) && m->count > 1;
}

void mutex_lock_operation(struct object_step *s, struct mutex *m, uint64_t pc) {
  object_operation(s, OP_LOCK, m, mutex_offers, pc);
  object_blocking(s, OFFER_ONE);
}

static void announce(struct object_step *s, struct mutex *m) {
  object_visible(s, sizeof *m);
  mutex_check(m, s->op.pc);
}

int mutex_init(struct mutex *m, int kind, bool robust, uint64_t pc) {
  struct object_step s;
  object_operation(&s, OP_INIT, m, mutex_offers, pc);
  object_visible(&s, sizeof *m);
  SET(*m, ((struct mutex){.life = LIFE_MADE,
                          .kind = kind,
                          .robust = robust ? ROBUST_WHOLE : ROBUST_NOT}));
  return 0;
}

int mutex_destroy(struct mutex *m, uint64_t pc) {
  struct object_step s;
  object_operation(&s, OP_DESTROY, m, mutex_offers, pc);
  announce(&s, m);
  if (m->owner)
    fail(FINDING_MISUSE, pc, "destruction of a mutex that T%u holds",
         m->owner - 1);
  SET(m->life, LIFE_OVER);
  return 0;
}

/* Does the running thread hold the mutex, and is it of this kind, which does
 * not block then? */
static bool relocks(const struct mutex *m, int kind) {
  return usable(m) && m->kind == kind && mutex_held_by(m, current());
}

static int lock_again(struct mutex *m, enum op op, uint64_t pc) {
  struct object_step s;
  object_operation(&s, op, m, mutex_offers, pc);
  announce(&s, m);
  if (m->count == UINT32_MAX) {
    footprint_only_read();
    return EAGAIN;
  }
  return mutex_take(m, current());
}

static int refuse_again(struct mutex *m, enum op op, int code, uint64_t pc) {
  struct object_step s;
  object_operation(&s, op, m, mutex_offers, pc);
  object_reading(&s);
  announce(&s, m);
  return code;
}

int mutex_lock(struct mutex *m, uint64_t pc) {
  struct object_step s;
  mutex_lock_operation(&s, m, pc);
  if (relocks(m, MUTEX_RECURSIVE))
    return lock_again(m, OP_LOCK, pc);
  if (relocks(m, MUTEX_ERRORCHECK))
    return refuse_again(m, OP_LOCK, EDEADLK, pc);
  announce(&s, m);
  return mutex_take(m, current());
}

static void try_operation(struct object_step *s, struct mutex *m, uint64_t pc) {
  object_operation(s, OP_TRYLOCK, m, mutex_offers, pc);
  object_conditional(s, OFFER_ONE);
}

static int take_or(struct object_step *s, struct mutex *m, int code) {
  announce(s, m);
  if (m->owner) {
    footprint_only_read();
    return code;
  }
  return mutex_take(m, current());
}

int mutex_trylock(struct mutex *m, uint64_t pc) {
  struct object_step s;
  try_operation(&s, m, pc);
  if (relocks(m, MUTEX_RECURSIVE))
    return lock_again(m, OP_TRYLOCK, pc);
  return take_or(&s, m, EBUSY);
}

int mutex_timedlock(struct mutex *m, const struct timespec *until,
                    uint64_t pc) {
  struct object_step s;
  try_operation(&s, m, pc);
  if (relocks(m, MUTEX_RECURSIVE))
    return lock_again(m, OP_TRYLOCK, pc);
  if (relocks(m, MUTEX_ERRORCHECK))
    return refuse_again(m, OP_TRYLOCK, EDEADLK, pc);
  if (!time_valid(until, pc))
    return take_or(&s, m, EINVAL);
  struct timespec end = *until;
  int code = take_or(&s, m, ETIMEDOUT);
  if (code == ETIMEDOUT)
    time_reach(&end);
  return code;
}

/* Recursive, errorcheck and robust mutexes report a wrong unlock to the caller;
 * for the other kinds it is undefined. */
bool mutex_reports_wrong_unlock(const struct mutex *m) {
  return m->kind == MUTEX_RECURSIVE || m->kind == MUTEX_ERRORCHECK || m->robust;
}

static _Noreturn void fail_unlock(const struct mutex *m, uint64_t pc) {
  if (!m->owner)
    fail(FINDING_MISUSE, pc, "unlock of a mutex that is not locked");
  fail(FINDING_MISUSE, pc, "unlock of a mutex that T%u holds", m->owner - 1);
}

int mutex_unlock(struct mutex *m, uint64_t pc) {
  struct object_step s;
  object_operation(&s, OP_UNLOCK, m, mutex_offers, pc);
  bool held = mutex_held_by(m, current());
  if (!held && mutex_reports_wrong_unlock(m))
    object_reading(&s);
  announce(&s, m);
  if (!held && mutex_reports_wrong_unlock(m))
    return EPERM;
  if (!mutex_held_by(m, current())) /* or overwritten meanwhile */
    fail_unlock(m, pc);
  mutex_drop(m);
  return 0;
}

/* ---- robust mutexes --------------------------------------------------- */

/* The kernel does this when a thread has ended, in any order. */
void mutexes_abandon(struct thread *me) {
  while (me->robust) {
    struct mutex *m = me->robust;
    struct object_step s;
    object_operation(&s, OP_ABANDON, m, mutex_offers, (uintptr_t)me->start + 1);
    object_visible(&s, sizeof *m);
    SET(me->robust, m->next);
    if (!mutex_held_by(m, me))
      continue;
    SET(m->owner, 0);
    SET(m->count, 0);
    SET(m->robust, ROBUST_LEFT);
  }
}

static int make_consistent(struct mutex *m, uint64_t pc) {
  struct object_step s;
  object_operation(&s, OP_CONSISTENT, m, mutex_offers, pc);
  announce(&s, m);
  if (m->robust != ROBUST_LEFT || !mutex_held_by(m, current())) {
    footprint_only_read();
    return EINVAL;
  }
  SET(m->robust, ROBUST_WHOLE);
  return 0;
}

struct thread *mutex_holder(const struct operation *op) {
  const struct mutex *m = op->object;
  if ((op->offers != mutex_offers && op->timed != TIMED_ENDS) || !m->owner)
    return NULL;
  return thread_get(m->owner - 1);
}

/* ---- attributes ------------------------------------------------------- */

/* prog: overlays pthread_mutexattr_t.  Attribute objects are data. */
struct mutex_attributes {
  uint8_t kind;
  uint8_t protocol; /* no meaning: priorities do not restrict the schedule */
  uint8_t shared;   /* there is one process: no meaning */
  uint8_t ceiling;
};

enum { ATTRIBUTE_ROBUST = 16 }; /* beside the kind: there are four bytes */

_Static_assert(sizeof(struct mutex_attributes) <= sizeof(pthread_mutexattr_t),
               "the overlay fits");

static struct mutex_attributes *attributes(const pthread_mutexattr_t *a) {
  return (struct mutex_attributes *)(uintptr_t)a;
}

INTERPOSED int pthread_mutexattr_init(pthread_mutexattr_t *a) {
  PUT(*attributes(a), ((struct mutex_attributes){0}));
  return 0;
}

INTERPOSED int pthread_mutexattr_destroy(pthread_mutexattr_t *a) {
  (void)a;
  return 0;
}

INTERPOSED int pthread_mutexattr_settype(pthread_mutexattr_t *a, int kind) {
  if (kind < MUTEX_NORMAL || kind > MUTEX_ADAPTIVE)
    return EINVAL;
  uint8_t robust = LOOK(attributes(a)->kind) & ATTRIBUTE_ROBUST;
  PUT(attributes(a)->kind, (uint8_t)kind | robust);
  return 0;
}

INTERPOSED int pthread_mutexattr_gettype(const pthread_mutexattr_t *a,
                                         int *kind) {
  PUT(*kind, LOOK(attributes(a)->kind) & ~ATTRIBUTE_ROBUST);
  return 0;
}

INTERPOSED int pthread_mutexattr_setpshared(pthread_mutexattr_t *a,
                                            int shared) {
  if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED)
    return EINVAL;
  PUT(attributes(a)->shared, (uint8_t)shared);
  return 0;
}

INTERPOSED int pthread_mutexattr_getpshared(const pthread_mutexattr_t *a,
                                            int *shared) {
  PUT(*shared, LOOK(attributes(a)->shared));
  return 0;
}

INTERPOSED int pthread_mutexattr_setprotocol(pthread_mutexattr_t *a,
                                             int protocol) {
  if (protocol != PTHREAD_PRIO_NONE && protocol != PTHREAD_PRIO_INHERIT &&
      protocol != PTHREAD_PRIO_PROTECT)
    return EINVAL;
  PUT(attributes(a)->protocol, (uint8_t)protocol);
  return 0;
}

INTERPOSED int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *a,
                                             int *protocol) {
  PUT(*protocol, LOOK(attributes(a)->protocol));
  return 0;
}

INTERPOSED int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *a,
                                                int ceiling) {
  if (ceiling < 1 || ceiling > 99) /* the range of SCHED_FIFO on Linux */
    return EINVAL;
  PUT(attributes(a)->ceiling, (uint8_t)ceiling);
  return 0;
}

INTERPOSED int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *a,
                                                int *ceiling) {
  PUT(*ceiling, LOOK(attributes(a)->ceiling));
  return 0;
}

INTERPOSED int pthread_mutexattr_setrobust(pthread_mutexattr_t *a, int robust) {
  if (robust != PTHREAD_MUTEX_STALLED && robust != PTHREAD_MUTEX_ROBUST)
    return EINVAL;
  uint8_t kind = LOOK(attributes(a)->kind) & (uint8_t)~ATTRIBUTE_ROBUST;
  PUT(attributes(a)->kind,
      robust == PTHREAD_MUTEX_ROBUST ? kind | ATTRIBUTE_ROBUST : kind);
  return 0;
}

INTERPOSED int pthread_mutexattr_getrobust(const pthread_mutexattr_t *a,
                                           int *robust) {
  PUT(*robust, LOOK(attributes(a)->kind) & ATTRIBUTE_ROBUST
                   ? PTHREAD_MUTEX_ROBUST
                   : PTHREAD_MUTEX_STALLED);
  return 0;
}

/* ---- the program's names ---------------------------------------------- */

INTERPOSED int pthread_mutex_init(pthread_mutex_t *m,
                                  const pthread_mutexattr_t *a) {
  uint8_t kind = a ? LOOK(attributes(a)->kind) : MUTEX_NORMAL;
  bool has_ceiling = a && LOOK(attributes(a)->protocol) == PTHREAD_PRIO_PROTECT;
  int32_t ceiling = has_ceiling ? LOOK(attributes(a)->ceiling) : 0;
  int code = mutex_init((struct mutex *)m, kind & ~ATTRIBUTE_ROBUST,
                        kind & ATTRIBUTE_ROBUST, CALLER);
  if (ceiling)
    SET(((struct mutex *)m)->ceiling, ceiling);
  return code;
}

INTERPOSED int pthread_mutex_destroy(pthread_mutex_t *m) {
  return mutex_destroy((struct mutex *)m, CALLER);
}

INTERPOSED int pthread_mutex_lock(pthread_mutex_t *m) {
  return mutex_lock((struct mutex *)m, CALLER);
}

INTERPOSED int pthread_mutex_trylock(pthread_mutex_t *m) {
  return mutex_trylock((struct mutex *)m, CALLER);
}

INTERPOSED int pthread_mutex_timedlock(pthread_mutex_t *m,
                                       const struct timespec *until) {
  return mutex_timedlock((struct mutex *)m, until, CALLER);
}

INTERPOSED int pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock,
                                       const struct timespec *until) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
    return EINVAL;
  return mutex_timedlock((struct mutex *)m, until, CALLER);
}

INTERPOSED int pthread_mutex_unlock(pthread_mutex_t *m) {
  return mutex_unlock((struct mutex *)m, CALLER);
}

INTERPOSED int pthread_mutex_consistent(pthread_mutex_t *m) {
  return make_consistent((struct mutex *)m, CALLER);
}

/* Ceilings do not restrict the schedule. */
INTERPOSED int pthread_mutex_getprioceiling(const pthread_mutex_t *m,
                                            int *ceiling) {
  int32_t now = LOOK(((const struct mutex *)m)->ceiling);
  if (!now)
    return EINVAL;
  PUT(*ceiling, now);
  return 0;
}

/* With the mutex locked, as in glibc. */
INTERPOSED int pthread_mutex_setprioceiling(pthread_mutex_t *m, int ceiling,
                                            int *old) {
  struct mutex *mutex = (struct mutex *)m;
  int32_t before = LOOK(mutex->ceiling);
  bool held = mutex_held_by(mutex, current());
  if (!before || ceiling < 1 || ceiling > 99)
    return EINVAL;
  int code = held ? 0 : mutex_lock(mutex, CALLER);
  if (code)
    return code;
  PUT(mutex->ceiling, ceiling);
  __asm__("" : "+r"(old)); /* glibc declares it to be never null */
  if (old)
    PUT(*old, before);
  return held ? 0 : mutex_unlock(mutex, CALLER);
}
