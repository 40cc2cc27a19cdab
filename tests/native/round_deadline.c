// A new deadline in each round, made of the time by a function.  When it is says
// nothing about the state: each thread gets the mutex in one step, in 2 orders.
// expect all: executions 2, blocked 0
// algorithms dpor source optimal observers cs optimal-cs optimal-cs-ob unfold dc
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void later(struct timespec *t, long milliseconds) {
  clock_gettime(CLOCK_REALTIME, t);
  t->tv_sec += milliseconds / 1000;
  t->tv_nsec += milliseconds % 1000 * 1000000;
  while (t->tv_nsec >= 1000000000) {
    t->tv_nsec -= 1000000000;
    t->tv_sec++;
  }
}

static void *locks(void *unused) {
  struct timespec t;
  int result;
  do {
    later(&t, 250);
    result = pthread_mutex_timedlock(&m, &t);
  } while (result == ETIMEDOUT);
  assert(result == 0 && inside++ == 0);
  inside--;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, locks, 0);
  locks(0);
  pthread_join(t, 0);
}
