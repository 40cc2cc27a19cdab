// The handler wants a mutex that the interrupted thread holds.
// expect error deadlock
// algorithms naive source optimal observers cs optimal-cs optimal-cs-ob unfold stateful
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void handler(int number) {
  pthread_mutex_lock(&m);
  (void)number;
  pthread_mutex_unlock(&m);
}

static void *run(void *unused) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, handler);
  pthread_create(&t, NULL, run, NULL);
  pthread_kill(t, SIGUSR1);
  pthread_join(t, NULL);
}
