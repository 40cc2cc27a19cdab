/* Barriers.
 *
 * A thread arrives, and leaves with another event when all have arrived.  The
 * first thread to leave is the leader, the one with the smallest number.  Its
 * step lets the others go: they leave with events that touch nothing, and whose
 * cause is the leader's.  A barrier may therefore be destroyed by any thread
 * that has left it, as POSIX allows.
 *
 * Arrivals commute if no more threads use the barrier than it waits for.  Then
 * every thread takes part in every round, and who comes first makes no
 * difference.  This is taken for granted until a thread too many arrives (see
 * engine/commuting.c): an arrival only reads the barrier, and the leader's step
 * writes it, so that it comes after all arrivals.  Otherwise it makes a
 * difference who meets whom.  Arrivals are then writes, and the last one names
 * the leader.
 *
 * One thread is told that it is the serial one.  With glibc it is the last to
 * arrive, which any of the threads can be: between its arrival and the leader's
 * step a thread does nothing that another one could wait for.  So the explorer
 * chooses, among those that use the result.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "system/native/pthread/sync.h"
#include "system/native/engine/timekeeping.h"

/* prog: overlays pthread_barrier_t. */
struct barrier {
  uint32_t count; /* arrivals that complete a round */
  uint32_t life;
};

_Static_assert(sizeof(struct barrier) <= sizeof(pthread_barrier_t),
               "the overlay fits");

static void announce(struct object_step *s, struct barrier *b) {
  object_visible(s, sizeof *b);
  life_check(b->life, true, "barrier", s->op.pc);
}

/* ---- who meets whom ---------------------------------------------------- */

/* The threads of one round have the same `meets`: the barrier and then, if
 * arrivals are ordered, the leader. */
static struct thread *next_of(const void *meets, unsigned from) {
  for (; from < thread_count(); from++)
    if (thread_get(from)->meets == meets)
      return thread_get(from);
  return NULL;
}

#define EACH_OF(t, meets)                             \
  struct thread *t = next_of(meets, 0), *next = NULL; \
  t && (next = next_of(meets, t->id + 1), true);      \
  t = next

static uint32_t arrivals(const struct barrier *b) {
  uint32_t count = 0;
  for (EACH_OF(t, b))
    count++;
  return count;
}

static void complete(const struct barrier *b) {
  struct thread *leader = next_of(b, 0);
  for (EACH_OF(t, b))
    SET(t->meets, leader);
  SET(leader->cause, step_now());
}

/* ---- leaving ----------------------------------------------------------- */

/* prog: on the stack of a thread that has arrived. */
struct leave {
  struct object_step step;
  struct thread *thread;
  uint32_t count; /* of the barrier, whose memory may be gone */
};

static bool leads(const struct leave *l) {
  const struct barrier *b = l->step.op.object;
  if (!object_is_apart(b))
    return l->thread->meets == l->thread;
  return l->thread->meets == b && next_of(b, 0) == l->thread &&
         arrivals(b) >= l->count;
}

/* If the arrivals did not write the barrier, the leader does. */
bool barrier_writes(const struct operation *op) {
  return object_is_apart(op->object) && leads((const struct leave *)op);
}

static bool may_leave(const struct operation *op) {
  const struct leave *l = (const struct leave *)op;
  return l->thread->woken || leads(l);
}

/* The one that is told so, or NULL: a thread that does not use the result. */
static const struct thread *choose_serial(const void *meets) {
  unsigned users = 0, others = 0;
  for (EACH_OF(t, meets))
    if (t->result_unused)
      others = 1;
    else
      users++;
  unsigned chosen = choose(users + others);
  for (EACH_OF(t, meets))
    if (!t->result_unused && !chosen--)
      return t;
  return NULL;
}

static void let_others_go(struct thread *me) {
  const void *meets = me->meets;
  const struct thread *serial = choose_serial(meets);
  for (EACH_OF(t, meets))
    time_carry(t, me);
  for (EACH_OF(t, meets)) {
    SET(t->serial, t == serial);
    SET(t->woken, 1);
    SET(t->meets, NULL);
    if (t == me)
      continue;
    SET(t->cause, step_now());
    time_carry(me, t);
  }
}

static int leave(struct barrier *b, struct thread *me, uint64_t pc) {
  struct leave l = {.thread = me, .count = b->count};
  object_operation(&l.step, OP_LEAVE, b, NULL, pc);
  l.step.op.flags = STEP_BLOCKING;
  l.step.op.ready = may_leave;
  visible(&l.step.op);
  if (!me->woken)
    let_others_go(me);
  return me->serial ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

/* ---- operations -------------------------------------------------------- */

INTERPOSED int pthread_barrier_wait(pthread_barrier_t *barrier) {
  struct barrier *b = (struct barrier *)barrier;
  struct thread *me = current();
  bool unused = result_is_unused();
  struct object_step s;
  object_operation(&s, OP_ARRIVE, b, NULL, CALLER);
  if (object_gathers(b))
    object_reading(&s);
  announce(&s, b);
  object_is_used(b, b->count);
  SET(me->result_unused, unused);
  SET(me->woken, 0);
  SET(me->meets, b);
  if (!object_is_apart(b) && arrivals(b) == b->count)
    complete(b);
  return leave(b, me, CALLER);
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
  for (EACH_OF(t, b)) /* a mistake: they wait for ever */
    SET(t->meets, NULL);
  SET(*b, ((struct barrier){.count = count, .life = LIFE_MADE}));
  return 0;
}

INTERPOSED int pthread_barrier_destroy(pthread_barrier_t *barrier) {
  struct barrier *b = (struct barrier *)barrier;
  struct object_step s;
  object_operation(&s, OP_DESTROY, b, NULL, CALLER);
  announce(&s, b);
  if (next_of(b, 0) && arrivals(b) < b->count)
    fail(FINDING_MISUSE, CALLER, "destruction of a barrier that T%u waits at",
         next_of(b, 0)->id);
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
