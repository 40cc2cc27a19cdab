// Nor is main when it has returned.
// expect optimal: executions 1, blocked 0
#include <assert.h>
#include <pthread.h>

static pthread_t first;

static void *join(void *unused) {
  (void)unused;
  pthread_join(first, 0);
  assert(!"main was joined");
  return 0;
}

int main(void) {
  pthread_t thread;
  first = pthread_self();
  pthread_create(&thread, 0, join, 0);
  return 0;
}
