// What each kind of mutex does when its own thread locks or unlocks too often,
// by static initialiser and by attribute.  One thread: one execution.
// expect all: executions 1, blocked 0
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t made;

static void make(int kind) {
  pthread_mutexattr_t a;
  int read_back;
  assert(pthread_mutexattr_init(&a) == 0);
  assert(pthread_mutexattr_settype(&a, 17) == EINVAL);
  assert(pthread_mutexattr_settype(&a, kind) == 0);
  assert(pthread_mutexattr_gettype(&a, &read_back) == 0 && read_back == kind);
  assert(pthread_mutex_init(&made, &a) == 0);
  assert(pthread_mutexattr_destroy(&a) == 0);
}

static void check_recursive(pthread_mutex_t *m) {
  struct timespec now = {0, 0};
  assert(pthread_mutex_lock(m) == 0);
  assert(pthread_mutex_lock(m) == 0);
  assert(pthread_mutex_trylock(m) == 0);
  assert(pthread_mutex_timedlock(m, &now) == 0);
  for (int i = 0; i < 4; i++)
    assert(pthread_mutex_unlock(m) == 0);
  assert(pthread_mutex_unlock(m) == EPERM);
}

static void check_checking(pthread_mutex_t *m) {
  struct timespec now = {0, 0};
  assert(pthread_mutex_unlock(m) == EPERM);
  assert(pthread_mutex_lock(m) == 0);
  assert(pthread_mutex_lock(m) == EDEADLK);
  assert(pthread_mutex_timedlock(m, &now) == EDEADLK);
  assert(pthread_mutex_trylock(m) == EBUSY);
  assert(pthread_mutex_unlock(m) == 0);
  assert(pthread_mutex_unlock(m) == EPERM);
}

static void check_normal(pthread_mutex_t *m) {
  struct timespec now = {0, 0}, wrong = {0, 1000000000};
  assert(pthread_mutex_lock(m) == 0);
  assert(pthread_mutex_trylock(m) == EBUSY);
  assert(pthread_mutex_timedlock(m, &now) == ETIMEDOUT);
  assert(pthread_mutex_clocklock(m, CLOCK_MONOTONIC, &now) == ETIMEDOUT);
  assert(pthread_mutex_timedlock(m, &wrong) == EINVAL);
  assert(pthread_mutex_unlock(m) == 0);
  assert(pthread_mutex_timedlock(m, &now) == 0);
  assert(pthread_mutex_unlock(m) == 0);
  assert(pthread_mutex_trylock(m) == 0);
  assert(pthread_mutex_unlock(m) == 0);
}

int main(void) {
  check_recursive(&recursive);
  check_checking(&checking);
  check_normal(&adaptive);
  make(PTHREAD_MUTEX_RECURSIVE);
  check_recursive(&made);
  assert(pthread_mutex_destroy(&made) == 0);
  make(PTHREAD_MUTEX_ERRORCHECK);
  check_checking(&made);
  assert(pthread_mutex_destroy(&made) == 0);
  make(PTHREAD_MUTEX_NORMAL);
  check_normal(&made);
  assert(pthread_mutex_destroy(&made) == 0);
  assert(pthread_mutex_init(&made, 0) == 0);
  check_normal(&made);
  assert(pthread_mutex_destroy(&made) == 0);
}
