// A loop looks under a mutex.  It may see either of two values, or come too
// late for both: one execution each.
// expect output "1\n"
// expect output "2\n"
// expect error livelock
// expect message waits in a loop for a change of value
// expect optimal: executions 3, blocked 0
// algorithms naive dpor source optimal
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void set(int to) {
  pthread_mutex_lock(&m);
  value = to;
  pthread_mutex_unlock(&m);
}

static int get(void) {
  pthread_mutex_lock(&m);
  int now = value;
  pthread_mutex_unlock(&m);
  return now;
}

static void *writer(void *unused) {
  set(1);
  set(2);
  set(0);
  return unused;
}

int main(void) {
  pthread_t t;
  int seen;
  pthread_create(&t, 0, writer, 0);
  while (!(seen = get()))
    sched_yield();
  pthread_join(t, 0);
  printf("%d\n", seen);
}
