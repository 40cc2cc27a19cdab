// A thread joins another before it does anything that is a step in the search,
// and after accesses that are steps in a replay: the deadlock is found again.
// expect error deadlock
// expect optimal: executions 1, blocked 0
#include <pthread.h>

static int attempts;

static void *joins(void *first) {
  attempts++;
  pthread_join((pthread_t)first, 0);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, joins, (void *)pthread_self());
  pthread_join(t, 0);
}
