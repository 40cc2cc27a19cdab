/* Attributes of threads to be created.  Those with a meaning here: whether a
 * thread is detached, the size of its stack, and what it is told of its
 * scheduling.  The others are kept for the program to read back.  Attribute
 * objects are data. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <limits.h>
#include <signal.h>
#include <sched.h>

#include "system/native/engine/engine.h"
#include "system/native/engine/timekeeping.h"
#include "system/native/pthread/sync.h"

/* prog: overlays pthread_attr_t. */
struct attributes {
  uint64_t stack; /* 0: the usual size */
  char *low;      /* where it begins: for the program to read back */
  uint64_t guard;
  int32_t priority;
  uint8_t detached;
  uint8_t scope;
  uint8_t inherit;
  uint8_t policy;
  uint8_t has_mask;
  uint8_t processors; /* as the program gave them: a bit for each; 0: any */
  unsigned long mask; /* of signals */
};

_Static_assert(sizeof(struct attributes) <= sizeof(pthread_attr_t),
               "the overlay fits");

#define USUAL_STACK (8u << 20) /* what Linux gives by default */
#define USUAL_GUARD 4096u

static struct attributes *attributes(const pthread_attr_t *a) {
  return (struct attributes *)(uintptr_t)a;
}

/* prog: those of a thread that is created without any. */
PROG static struct attributes usual;

static void look(const struct attributes *a, uint64_t pc) {
  if (a == &usual)
    library_state(a, sizeof *a, false, pc);
  else
    plain_announce((void *)(uintptr_t)a, sizeof *a, false, pc);
}

void attributes_read(const struct attributes *a, struct thread_wishes *out,
                     uint64_t pc) {
  *out = (struct thread_wishes){0};
  if (!a && !(step_extras & EXTRA_DEFAULTS))
    return;
  if (!a)
    a = &usual;
  look(a, pc);
  *out = (struct thread_wishes){.stack = a->stack,
                                .detached = a->detached,
                                .has_mask = a->has_mask,
                                .processors = a->processors,
                                .mask = a->mask};
  if (a->inherit == PTHREAD_EXPLICIT_SCHED) {
    out->policy = a->policy;
    out->priority = a->priority;
  }
}

INTERPOSED int pthread_attr_init(pthread_attr_t *a) {
  PUT(*attributes(a), ((struct attributes){.guard = USUAL_GUARD}));
  return 0;
}

INTERPOSED int pthread_attr_destroy(pthread_attr_t *a) {
  (void)a;
  return 0;
}

INTERPOSED int pthread_attr_setdetachstate(pthread_attr_t *a, int state) {
  if (state != PTHREAD_CREATE_JOINABLE && state != PTHREAD_CREATE_DETACHED)
    return EINVAL;
  PUT(attributes(a)->detached, state == PTHREAD_CREATE_DETACHED);
  return 0;
}

INTERPOSED int pthread_attr_getdetachstate(const pthread_attr_t *a,
                                           int *state) {
  PUT(*state, LOOK(attributes(a)->detached) ? PTHREAD_CREATE_DETACHED
                                            : PTHREAD_CREATE_JOINABLE);
  return 0;
}

INTERPOSED int pthread_attr_setstacksize(pthread_attr_t *a, size_t size) {
  if (size < (size_t)PTHREAD_STACK_MIN)
    return EINVAL;
  PUT(attributes(a)->stack, size);
  return 0;
}

INTERPOSED int pthread_attr_getstacksize(const pthread_attr_t *a,
                                         size_t *size) {
  uint64_t stack = LOOK(attributes(a)->stack);
  PUT(*size, stack ? stack : USUAL_STACK);
  return 0;
}

INTERPOSED int pthread_attr_setguardsize(pthread_attr_t *a, size_t size) {
  PUT(attributes(a)->guard, size);
  return 0;
}

INTERPOSED int pthread_attr_getguardsize(const pthread_attr_t *a,
                                         size_t *size) {
  PUT(*size, LOOK(attributes(a)->guard));
  return 0;
}

INTERPOSED int pthread_attr_setscope(pthread_attr_t *a, int scope) {
  if (scope == PTHREAD_SCOPE_PROCESS)
    return ENOTSUP; /* as in glibc */
  if (scope != PTHREAD_SCOPE_SYSTEM)
    return EINVAL;
  PUT(attributes(a)->scope, (uint8_t)scope);
  return 0;
}

INTERPOSED int pthread_attr_getscope(const pthread_attr_t *a, int *scope) {
  PUT(*scope, LOOK(attributes(a)->scope));
  return 0;
}

INTERPOSED int pthread_attr_setinheritsched(pthread_attr_t *a, int inherit) {
  if (inherit != PTHREAD_INHERIT_SCHED && inherit != PTHREAD_EXPLICIT_SCHED)
    return EINVAL;
  PUT(attributes(a)->inherit, (uint8_t)inherit);
  return 0;
}

INTERPOSED int pthread_attr_getinheritsched(const pthread_attr_t *a,
                                            int *inherit) {
  PUT(*inherit, LOOK(attributes(a)->inherit));
  return 0;
}

INTERPOSED int pthread_attr_setschedpolicy(pthread_attr_t *a, int policy) {
  if (policy != SCHED_OTHER && policy != SCHED_FIFO && policy != SCHED_RR)
    return EINVAL;
  PUT(attributes(a)->policy, (uint8_t)policy);
  return 0;
}

INTERPOSED int pthread_attr_getschedpolicy(const pthread_attr_t *a,
                                           int *policy) {
  PUT(*policy, LOOK(attributes(a)->policy));
  return 0;
}

INTERPOSED int pthread_attr_setschedparam(pthread_attr_t *a,
                                          const struct sched_param *p) {
  int priority = LOOK(p->sched_priority);
  if (!schedule_is_valid(LOOK(attributes(a)->policy), priority))
    return EINVAL;
  PUT(attributes(a)->priority, priority);
  return 0;
}

INTERPOSED int pthread_attr_getschedparam(const pthread_attr_t *a,
                                          struct sched_param *p) {
  PUT(p->sched_priority, LOOK(attributes(a)->priority));
  return 0;
}

/* A thread's stack has a place of its own: memory that the program gives is
 * accepted and not used. */
INTERPOSED int pthread_attr_setstack(pthread_attr_t *a, void *low,
                                     size_t size) {
  if (size < (size_t)PTHREAD_STACK_MIN)
    return EINVAL;
  PUT(attributes(a)->stack, size);
  PUT(attributes(a)->low, low);
  return 0;
}

INTERPOSED int pthread_attr_getstack(const pthread_attr_t *a, void **low,
                                     size_t *size) {
  PUT(*low, LOOK(attributes(a)->low));
  PUT(*size, LOOK(attributes(a)->stack));
  return 0;
}

void attributes_write(struct attributes *a, const struct thread *t,
                      bool detached, uint64_t pc) {
  PUT_AT(*a,
         ((struct attributes){.stack = (uint64_t)(t->stack_base - t->stack_low),
                              .low = t->stack_low,
                              .guard = USUAL_GUARD,
                              .detached = detached}),
         pc);
}

/* Only where the stack begins; its size is asked for apart.  As in glibc the
 * address is that of its highest byte. */
INTERPOSED int pthread_attr_setstackaddr(pthread_attr_t *a, void *high) {
  PUT(attributes(a)->low,
      (char *)high - (LOOK(attributes(a)->stack) ?: USUAL_STACK));
  return 0;
}

INTERPOSED int pthread_attr_getstackaddr(const pthread_attr_t *a, void **high) {
  PUT(*high,
      LOOK(attributes(a)->low) + (LOOK(attributes(a)->stack) ?: USUAL_STACK));
  return 0;
}

INTERPOSED int pthread_attr_setsigmask_np(pthread_attr_t *a,
                                          const sigset_t *set) {
  PUT(attributes(a)->has_mask, set != NULL);
  if (set)
    PUT(attributes(a)->mask, LOOK(*set).__val[0]);
  return 0;
}

INTERPOSED int pthread_attr_getsigmask_np(const pthread_attr_t *a,
                                          sigset_t *set) {
  bool has = LOOK(attributes(a)->has_mask);
  PUT(*set, ((sigset_t){{has ? LOOK(attributes(a)->mask) : 0}}));
  return has ? 0 : PTHREAD_ATTR_NO_SIGMASK_NP;
}

/* As in glibc, a thread is never detached by default, and has no stack of the
 * program's. */
INTERPOSED int pthread_setattr_default_np(const pthread_attr_t *a) {
  struct attributes new = LOOK(*attributes(a));
  if (new.detached || new.low)
    return EINVAL;
  if (!(step_extras & EXTRA_DEFAULTS) && !engine.following && engine.steps.size)
    engine.stale = true;
  step_extras |= EXTRA_DEFAULTS;
  library_state(&usual, sizeof usual, true, CALLER);
  SET(usual, new);
  return 0;
}

INTERPOSED int pthread_getattr_default_np(pthread_attr_t *a) {
  library_state(&usual, sizeof usual, false, CALLER);
  struct attributes now = usual;
  now.guard = now.guard ? now.guard : USUAL_GUARD;
  PUT(*attributes(a), now);
  return 0;
}

INTERPOSED int pthread_attr_getaffinity_np(const pthread_attr_t *a, size_t size,
                                           cpu_set_t *set) {
  return affinity_put(LOOK(attributes(a)->processors), size, set, CALLER);
}

INTERPOSED int pthread_attr_setaffinity_np(pthread_attr_t *a, size_t size,
                                           const cpu_set_t *set) {
  uint8_t processors = size ? LOOK(*(const uint8_t *)set) : 0;
  PUT(attributes(a)->processors, processors);
  return 0;
}
