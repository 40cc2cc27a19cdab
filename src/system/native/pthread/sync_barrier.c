/* Barriers.
 *
 * Arriving is an operation on the barrier.  The last thread to arrive releases
 * all others.  They leave with an event that touches nothing; its cause orders
 * it after the last arrival.  A barrier may therefore be destroyed by the
 * thread that arrived last, as POSIX allows.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "system/native/pthread/sync.h"
#include "system/native/engine/timekeeping.h"

/* prog: overlays pthread_barrier_t. */
struct barrier {
  uint32_t arrived; /* in this round */
  uint32_t count;   /* arrivals that complete a round */
  uint32_t life;
  struct thread *first; /* waiting threads, latest first */
};

_Static_assert(sizeof(struct barrier) <= sizeof(pthread_barrier_t),
               "the overlay fits");

static void announce(struct object_step *s, struct barrier *b) {
  object_visible(s, sizeof *b);
  life_check(b->life, true, "barrier", s->op.pc);
}

/* prog: on the stack of a thread that waits for the others. */
struct leave {
  struct operation op;
  const struct thread *thread;
};

static bool let_go(const struct operation *op) {
  return ((const struct leave *)op)->thread->woken;
}

static void release(struct barrier *b) {
  for (struct thread *t = b->first; t; t = t->next_waiter) {
    SET(t->woken, 1);
    SET(t->cause, step_now());
    time_carry(current(), t);
  }
  SET(b->first, NULL);
  SET(b->arrived, 0);
}

static void wait_for_others(struct barrier *b, struct thread *me, uint64_t pc) {
  SET(me->woken, 0);
  SET(me->next_waiter, b->first);
  SET(b->first, me);
  SET(b->arrived, b->arrived + 1);
  struct leave leave = {.op = {.op = OP_LEAVE,
                               .flags = STEP_BLOCKING,
                               .pc = pc,
                               .ready = let_go,
                               .object = b},
                        .thread = me};
  visible(&leave.op);
}

INTERPOSED int pthread_barrier_wait(pthread_barrier_t *barrier) {
  struct barrier *b = (struct barrier *)barrier;
  struct object_step s;
  object_operation(&s, OP_ARRIVE, b, NULL, CALLER);
  announce(&s, b);
  if (b->arrived + 1 < b->count) {
    wait_for_others(b, current(), CALLER);
    return 0;
  }
  release(b);
  return PTHREAD_BARRIER_SERIAL_THREAD;
}

INTERPOSED int pthread_barrier_init(pthread_barrier_t *barrier,
                                    const pthread_barrierattr_t *a,
                                    unsigned count) {
  struct barrier *b = (struct barrier *)barrier;
  (void)a;
  if (count == 0 || count > INT32_MAX)
    return EINVAL;
  struct object_step s;
  object_operation(&s, OP_INIT, b, NULL, CALLER);
  object_visible(&s, sizeof *b);
  SET(*b, ((struct barrier){.count = count, .life = LIFE_MADE}));
  return 0;
}

INTERPOSED int pthread_barrier_destroy(pthread_barrier_t *barrier) {
  struct barrier *b = (struct barrier *)barrier;
  struct object_step s;
  object_operation(&s, OP_DESTROY, b, NULL, CALLER);
  announce(&s, b);
  if (b->first)
    fail(FINDING_MISUSE, CALLER, "destruction of a barrier that T%u waits at",
         b->first->id);
  SET(b->life, LIFE_OVER);
  return 0;
}

/* ---- attributes ------------------------------------------------------- */

/* prog: overlays pthread_barrierattr_t. */
struct barrier_attributes {
  uint8_t shared; /* there is one process: no meaning */
};

_Static_assert(sizeof(struct barrier_attributes) <=
                   sizeof(pthread_barrierattr_t),
               "the overlay fits");

static struct barrier_attributes *attributes(const pthread_barrierattr_t *a) {
  return (struct barrier_attributes *)(uintptr_t)a;
}

INTERPOSED int pthread_barrierattr_init(pthread_barrierattr_t *a) {
  PUT(attributes(a)->shared, PTHREAD_PROCESS_PRIVATE);
  return 0;
}

INTERPOSED int pthread_barrierattr_destroy(pthread_barrierattr_t *a) {
  (void)a;
  return 0;
}

INTERPOSED int pthread_barrierattr_setpshared(pthread_barrierattr_t *a,
                                              int shared) {
  if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED)
    return EINVAL;
  PUT(attributes(a)->shared, (uint8_t)shared);
  return 0;
}

INTERPOSED int pthread_barrierattr_getpshared(const pthread_barrierattr_t *a,
                                              int *shared) {
  PUT(*shared, LOOK(attributes(a)->shared));
  return 0;
}
