// Two threads join each other.
// expect error deadlock
// expect optimal: executions 1, blocked 0
#include <pthread.h>

static pthread_t first;

static void *joins(void *unused) {
  (void)unused;
  pthread_join(first, 0);
  return 0;
}

int main(void) {
  pthread_t t;
  first = pthread_self();
  pthread_create(&t, 0, joins, 0);
  pthread_join(t, 0);
}
