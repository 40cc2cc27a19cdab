/* C11 threads.h, on the same primitives, with C11's return codes. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifndef __NO_INLINE__
#define __NO_INLINE__ /* glibc's own thrd_equal */
#endif
#include <threads.h>

#include "system/native/pthread/sync.h"

_Static_assert(sizeof(struct mutex) <= sizeof(mtx_t), "the overlay fits");
_Static_assert(sizeof(cnd_t) == sizeof(pthread_cond_t), "the overlay fits");
_Static_assert(sizeof(once_flag) == sizeof(int32_t), "the overlay fits");
_Static_assert(sizeof(thrd_t) == sizeof(pthread_t), "one kind of handle");
_Static_assert(sizeof(tss_t) == sizeof(uint32_t), "one kind of key");

static int code(int error) {
  switch (error) {
  case 0:
    return thrd_success;
  case EBUSY:
    return thrd_busy;
  case ETIMEDOUT:
    return thrd_timedout;
  default:
    return thrd_error;
  }
}

INTERPOSED int thrd_create(thrd_t *out, thrd_start_t start, void *argument) {
  return code(thread_create((pthread_t *)out, NULL,
                            (void *(*)(void *))(void (*)(void))start, argument,
                            true, CALLER));
}

INTERPOSED int thrd_join(thrd_t handle, int *result) {
  uint64_t pc = CALLER;
  int error = thread_join(handle, NULL, pc);
  if (!error && result) {
    int number = (int)(intptr_t)((struct thread *)handle)->result;
    visible_store(result, &number, sizeof number, pc);
  }
  return code(thread_was_joined(handle, error));
}

INTERPOSED int thrd_detach(thrd_t handle) {
  return code(thread_detach(handle, CALLER));
}

INTERPOSED void thrd_exit(int result) {
  thread_exit((void *)(intptr_t)result);
}

INTERPOSED thrd_t thrd_current(void) {
  return (thrd_t)current();
}

INTERPOSED int thrd_equal(thrd_t a, thrd_t b) {
  return a == b;
}

/* Sleeping is no waiting: every order of steps is explored anyway. */
INTERPOSED void thrd_yield(void) {}

/* ---- mutexes ---------------------------------------------------------- */

/* As in glibc, an unknown type is that of a plain mutex. */
INTERPOSED int mtx_init(mtx_t *m, int type) {
  bool recursive = (type & ~mtx_timed) == (mtx_plain | mtx_recursive);
  return code(mutex_init((struct mutex *)m,
                         recursive ? MUTEX_RECURSIVE : MUTEX_NORMAL, false,
                         CALLER));
}

INTERPOSED void mtx_destroy(mtx_t *m) {
  mutex_destroy((struct mutex *)m, CALLER);
}

INTERPOSED int mtx_lock(mtx_t *m) {
  return code(mutex_lock((struct mutex *)m, CALLER));
}

INTERPOSED int mtx_trylock(mtx_t *m) {
  return code(mutex_trylock((struct mutex *)m, CALLER));
}

INTERPOSED int mtx_timedlock(mtx_t *m, const struct timespec *until) {
  return code(mutex_timedlock((struct mutex *)m, until, CALLER));
}

INTERPOSED int mtx_unlock(mtx_t *m) {
  return code(mutex_unlock((struct mutex *)m, CALLER));
}

/* ---- condition variables ---------------------------------------------- */

INTERPOSED int cnd_init(cnd_t *c) {
  return code(cond_init((struct cond *)c, CALLER));
}

INTERPOSED void cnd_destroy(cnd_t *c) {
  cond_destroy((struct cond *)c, CALLER);
}

INTERPOSED int cnd_wait(cnd_t *c, mtx_t *m) {
  return code(cond_wait((struct cond *)c, (struct mutex *)m, CALLER));
}

INTERPOSED int cnd_timedwait(cnd_t *c, mtx_t *m, const struct timespec *until) {
  return code(
      cond_timedwait((struct cond *)c, (struct mutex *)m, until, CALLER));
}

INTERPOSED int cnd_signal(cnd_t *c) {
  return code(cond_signal((struct cond *)c, CALLER));
}

INTERPOSED int cnd_broadcast(cnd_t *c) {
  return code(cond_broadcast((struct cond *)c, CALLER));
}

/* ---- once, thread-specific data --------------------------------------- */

INTERPOSED void call_once(once_flag *flag, void (*routine)(void)) {
  once_run((int32_t *)flag, routine, CALLER);
}

INTERPOSED int tss_create(tss_t *key, tss_dtor_t destructor) {
  return code(key_create((uint32_t *)key, destructor, CALLER));
}

INTERPOSED void tss_delete(tss_t key) {
  key_delete(key, CALLER);
}

INTERPOSED void *tss_get(tss_t key) {
  return key_get(key, CALLER);
}

INTERPOSED int tss_set(tss_t key, void *value) {
  return code(key_set(key, value, CALLER));
}
