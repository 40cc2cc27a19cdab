// Every function on read-write locks, in one thread and against a thread that
// has ended: one execution.
// expect optimal: executions 1, blocked 0
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock;
static pthread_rwlock_t other = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static const struct timespec now, wrong = {0, -1};

static void *while_read(void *unused) {
  (void)unused;
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  assert(pthread_rwlock_timedwrlock(&lock, &now) == ETIMEDOUT);
  assert(pthread_rwlock_timedwrlock(&lock, &wrong) == EINVAL);
  assert(pthread_rwlock_tryrdlock(&lock) == 0);
  assert(pthread_rwlock_timedrdlock(&lock, &now) == 0);
  assert(pthread_rwlock_unlock(&lock) == 0);
  assert(pthread_rwlock_unlock(&lock) == 0);
  return 0;
}

static void *while_written(void *unused) {
  (void)unused;
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
  assert(pthread_rwlock_timedrdlock(&lock, &now) == ETIMEDOUT);
  assert(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &now) ==
         ETIMEDOUT);
  assert(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &now) ==
         ETIMEDOUT);
  return 0;
}

static void run(void *(*start)(void *)) {
  pthread_t t;
  pthread_create(&t, 0, start, 0);
  pthread_join(t, 0);
}

int main(void) {
  pthread_rwlockattr_t a;
  int value;
  assert(pthread_rwlockattr_init(&a) == 0);
  assert(pthread_rwlockattr_setpshared(&a, PTHREAD_PROCESS_SHARED) == 0);
  assert(pthread_rwlockattr_getpshared(&a, &value) == 0);
  assert(value == PTHREAD_PROCESS_SHARED);
  assert(pthread_rwlock_init(&lock, &a) == 0);
  assert(pthread_rwlockattr_destroy(&a) == 0);

  assert(pthread_rwlock_rdlock(&lock) == 0);
  assert(pthread_rwlock_rdlock(&lock) == 0);
  run(while_read);
  assert(pthread_rwlock_unlock(&lock) == 0);
  assert(pthread_rwlock_unlock(&lock) == 0);

  assert(pthread_rwlock_wrlock(&lock) == 0);
  assert(pthread_rwlock_wrlock(&lock) == EDEADLK);
  assert(pthread_rwlock_rdlock(&lock) == EDEADLK);
  run(while_written);
  assert(pthread_rwlock_unlock(&lock) == 0);
  assert(pthread_rwlock_destroy(&lock) == 0);

  assert(pthread_rwlock_trywrlock(&other) == 0);
  assert(pthread_rwlock_unlock(&other) == 0);
}
