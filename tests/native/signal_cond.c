// A handler runs in a thread that waits for a condition; the signal of the
// condition variable comes before, meanwhile or after.
// expect output "1\n"
// expect output "0\n"
// expect optimal: blocked 0
// counts differ: private steps are interrupted, too
// algorithms naive source optimal observers cs optimal-cs optimal-cs-ob unfold stateful
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static volatile sig_atomic_t handled;

static void handler(int number) {
  handled = number == SIGUSR1;
}

static void *run(void *unused) {
  pthread_mutex_lock(&m);
  while (!ready)
    pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  printf("%d\n", (int)handled);
  return unused;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, handler);
  pthread_create(&t, NULL, run, NULL);
  pthread_kill(t, SIGUSR1);
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
}
