// A loop around a timed wait.  Either the signaller comes first, or its signal
// comes to the thread in the queue, or just behind the end of its wait.  A wait
// that ends earlier is a round in vain.  Counts by hand: 3 executions.
// expect all: executions 3, blocked 0
// expect output "done\n"
// algorithms naive dpor source optimal observers cs optimal-cs optimal-cs-ob
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *signaller(void *unused) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  struct timespec soon = {1, 0};
  pthread_create(&t, 0, signaller, 0);
  pthread_mutex_lock(&m);
  while (!ready)
    pthread_cond_timedwait(&c, &m, &soon);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  puts("done");
}
