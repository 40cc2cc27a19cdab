// A thread that another one lets go on in every round has waited: its rounds do
// not add up.
// options --loop-bound=1
// expect optimal: executions 1, blocked 0
#include <pthread.h>

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;

static void *wait(void *unused) {
  pthread_mutex_lock(&held);
  return unused;
}

static void *work(void *unused) {
  return unused;
}

int main(void) {
  pthread_t waiter, worker;
  pthread_mutex_lock(&held);
  pthread_create(&waiter, 0, wait, 0); // main is not alone
  for (int i = 0; i < 5; i++) {
    pthread_create(&worker, 0, work, 0);
    pthread_join(worker, 0);
  }
}
