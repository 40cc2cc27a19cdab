// A signal may miss a thread whose time is over, and the thread may wait again
// before the next one.  Counts by hand.  Both sections of the signaller before
// the first wait: 1.  One of them: the second signal comes to the thread or not:
// 2.  None: the first signal comes to the thread or not, and the thread locks
// the mutex before the second section, which is as above, or behind it: 2 * 3.
// expect all: executions 9, blocked 0
// expect output "told 0 wakeups 0\n"
// expect output "told 0 wakeups 1\n"
// expect output "told 1 wakeups 0\n"
// expect output "told 1 wakeups 1\n"
// expect output "told 1 wakeups 2\n"
// algorithms naive dpor source optimal observers cs optimal-cs optimal-cs-ob
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, waits, told, wakeups;

static void *signaller(void *unused) {
  pthread_mutex_lock(&m);
  told = waits;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
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
  waits = 1;
  while (!ready)
    if (pthread_cond_timedwait(&c, &m, &soon) == 0)
      wakeups++;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  printf("told %d wakeups %d\n", told, wakeups);
}
