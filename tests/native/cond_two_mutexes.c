// Two threads wait on one condition variable with different mutexes.
// expect error misuse
// expect message with another mutex than T
#include <pthread.h>

static pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *waiter(void *m) {
  pthread_mutex_lock(m);
  pthread_cond_wait(&cond, m); // expect misuse here
  pthread_mutex_unlock(m);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waiter, &mutex[1]);
  waiter(&mutex[0]);
  pthread_join(t, 0);
}
