/* Attributes of threads to be created.  Only two have a meaning here: whether a
 * thread is detached, and the size of its stack.  The others are kept for the
 * program to read back.  Attribute objects are data. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <limits.h>
#include <sched.h>

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
};

_Static_assert(sizeof(struct attributes) <= sizeof(pthread_attr_t),
               "the overlay fits");

#define USUAL_STACK (8u << 20) /* what Linux gives by default */
#define USUAL_GUARD 4096u

static struct attributes *attributes(const pthread_attr_t *a) {
  return (struct attributes *)(uintptr_t)a;
}

void attributes_read(const struct attributes *a, struct thread_wishes *out,
                     uint64_t pc) {
  plain_announce((void *)(uintptr_t)a, sizeof *a, false, pc);
  *out = (struct thread_wishes){a->stack, a->detached};
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
  PUT(attributes(a)->priority, LOOK(p->sched_priority));
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

INTERPOSED int pthread_attr_getaffinity_np(const pthread_attr_t *a, size_t size,
                                           cpu_set_t *set) {
  (void)a;
  return affinity_get(size, set, CALLER);
}

INTERPOSED int pthread_attr_setaffinity_np(pthread_attr_t *a, size_t size,
                                           const cpu_set_t *set) {
  (void)a, (void)size, (void)set;
  return 0;
}
