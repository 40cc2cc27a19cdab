/* POSIX semaphores.  They have no static initialiser: one that sem_init() has
 * not made is reported.  Named ones are shared with other processes and are
 * refused. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>

#include "system/native/libc.h"
#include "system/native/sync.h"

/* prog: overlays sem_t. */
struct semaphore {
  uint32_t value;
  uint32_t life;
};

_Static_assert(sizeof(struct semaphore) <= sizeof(sem_t), "the overlay fits");

static int errno_fail(int code) {
  error_set(code);
  return -1;
}

static uint8_t semaphore_offers(const struct operation *op) {
  const struct semaphore *s = op->object;
  return s->life != LIFE_MADE || s->value ? OFFER_ONE : 0;
}

static void announce(struct object_step *step, struct semaphore *s) {
  object_visible(step, sizeof *s);
  life_check(s->life, true, "semaphore", step->op.pc);
}

static int take_or(struct semaphore *s, int code, uint64_t pc) {
  struct object_step step;
  object_operation(&step, OP_SEM_TRYWAIT, s, semaphore_offers, pc);
  object_conditional(&step, OFFER_ONE);
  announce(&step, s);
  if (!s->value) {
    footprint_only_read();
    return errno_fail(code);
  }
  SET(s->value, s->value - 1);
  return 0;
}

INTERPOSED int sem_init(sem_t *sem, int shared, unsigned value) {
  struct semaphore *s = (struct semaphore *)sem;
  (void)shared; /* there is one process */
  if (value > SEM_VALUE_MAX)
    return errno_fail(EINVAL);
  struct object_step step;
  object_operation(&step, OP_INIT, s, semaphore_offers, CALLER);
  object_visible(&step, sizeof *s);
  SET(*s, ((struct semaphore){value, LIFE_MADE}));
  return 0;
}

INTERPOSED int sem_destroy(sem_t *sem) {
  struct semaphore *s = (struct semaphore *)sem;
  struct object_step step;
  object_operation(&step, OP_DESTROY, s, semaphore_offers, CALLER);
  announce(&step, s);
  SET(s->life, LIFE_OVER);
  return 0;
}

INTERPOSED int sem_wait(sem_t *sem) {
  struct semaphore *s = (struct semaphore *)sem;
  struct object_step step;
  object_operation(&step, OP_SEM_WAIT, s, semaphore_offers, CALLER);
  object_blocking(&step, OFFER_ONE);
  announce(&step, s);
  SET(s->value, s->value - 1);
  return 0;
}

INTERPOSED int sem_trywait(sem_t *sem) {
  return take_or((struct semaphore *)sem, EAGAIN, CALLER);
}

INTERPOSED int sem_timedwait(sem_t *sem, const struct timespec *until) {
  return take_or((struct semaphore *)sem,
                 time_valid(until) ? ETIMEDOUT : EINVAL, CALLER);
}

INTERPOSED int sem_clockwait(sem_t *sem, clockid_t clock,
                             const struct timespec *until) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
    return errno_fail(EINVAL);
  return take_or((struct semaphore *)sem,
                 time_valid(until) ? ETIMEDOUT : EINVAL, CALLER);
}

INTERPOSED int sem_post(sem_t *sem) {
  struct semaphore *s = (struct semaphore *)sem;
  struct object_step step;
  object_operation(&step, OP_SEM_POST, s, semaphore_offers, CALLER);
  announce(&step, s);
  if (s->value == SEM_VALUE_MAX)
    return errno_fail(EOVERFLOW);
  SET(s->value, s->value + 1);
  return 0;
}

INTERPOSED int sem_getvalue(sem_t *sem, int *value) {
  struct semaphore *s = (struct semaphore *)sem;
  struct object_step step;
  object_operation(&step, OP_SEM_VALUE, s, semaphore_offers, CALLER);
  object_reading(&step);
  announce(&step, s);
  int now = (int)s->value;
  visible_store(value, &now, sizeof now, CALLER);
  return 0;
}

INTERPOSED sem_t *sem_open(const char *name, int flags, ...) {
  (void)flags;
  refuse("named semaphores are not supported: sem_open(\"%s\")", name);
}

INTERPOSED int sem_close(sem_t *sem) {
  (void)sem;
  refuse("named semaphores are not supported: sem_close");
}

INTERPOSED int sem_unlink(const char *name) {
  refuse("named semaphores are not supported: sem_unlink(\"%s\")", name);
}
