// Two threads wait for a broadcast, which may miss any of them.  Counts by hand.
// No thread waits before it: 2 orders of the threads.  One does: it is one of 2,
// missed or not, before or behind the other: 8.  Both do: 2 orders, 4 ways to
// miss them, 2 orders in which they lock the mutex: 16.
// expect optimal: executions 26, blocked 0
// expect source: executions 26, blocked 0
// expect output "done\n"
// algorithms naive dpor source optimal
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *unused) {
  struct timespec soon = {1, 0};
  pthread_mutex_lock(&m);
  while (!ready)
    pthread_cond_timedwait(&c, &m, &soon);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, waiter, 0);
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  puts("done");
}
