// A wait that ended by time is over at its deadline or later, on the clock that
// the deadline is of; a thread that joins the waiting one is no earlier.  So a
// loop that waits until a moment ends.
// real no: heddle judge brings deadlines closer
// expect optimal: executions 1, blocked 0
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond;
static sem_t semaphore;

static struct timespec later(clockid_t clock, long milliseconds) {
  struct timespec t;
  clock_gettime(clock, &t);
  t.tv_nsec += milliseconds * 1000000;
  t.tv_sec += t.tv_nsec / 1000000000;
  t.tv_nsec %= 1000000000;
  return t;
}

static int is_over(clockid_t clock, struct timespec end) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec > end.tv_sec ||
         (now.tv_sec == end.tv_sec && now.tv_nsec >= end.tv_nsec);
}

static void *wait(void *to) {
  struct timespec *end = to;
  *end = later(CLOCK_MONOTONIC, 300);
  pthread_mutex_lock(&mutex);
  while (!is_over(CLOCK_MONOTONIC, *end))
    pthread_cond_timedwait(&cond, &mutex, end);
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *fail(void *unused) {
  struct timespec end = later(CLOCK_REALTIME, 20);
  assert(pthread_mutex_timedlock(&held, &end) == ETIMEDOUT);
  assert(is_over(CLOCK_REALTIME, end));
  end = later(CLOCK_REALTIME, 20);
  assert(pthread_rwlock_timedrdlock(&lock, &end) == ETIMEDOUT);
  assert(is_over(CLOCK_REALTIME, end));
  end = later(CLOCK_REALTIME, 20);
  assert(pthread_rwlock_timedwrlock(&lock, &end) == ETIMEDOUT);
  assert(is_over(CLOCK_REALTIME, end));
  end = later(CLOCK_REALTIME, 20);
  assert(sem_timedwait(&semaphore, &end) && errno == ETIMEDOUT);
  assert(is_over(CLOCK_REALTIME, end));
  return unused;
}

int main(void) {
  pthread_t thread;
  struct timespec end;
  pthread_condattr_t monotonic;
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&cond, &monotonic);
  sem_init(&semaphore, 0, 0);
  pthread_create(&thread, 0, wait, &end);
  pthread_join(thread, 0);
  assert(is_over(CLOCK_MONOTONIC, end));

  pthread_mutex_lock(&held);
  pthread_rwlock_wrlock(&lock);
  pthread_create(&thread, 0, fail, 0);
  pthread_join(thread, 0);
  pthread_rwlock_unlock(&lock);
  pthread_mutex_unlock(&held);
  return 0;
}
