// A test-and-set lock is never released.  The first test of a thread that waits
// also notes that the thread may release something: that is no change.
// Counts: the order of the two locks.
// expect error livelock
// expect optimal: executions 2, blocked 0
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag taken = ATOMIC_FLAG_INIT;

static void *take(void *argument) {
  while (atomic_flag_test_and_set(&taken))
    ;
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, take, NULL);
  take(NULL);
  pthread_join(t, NULL);
  return 0;
}
