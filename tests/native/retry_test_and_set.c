// A lock by test-and-set: a try that finds the lock taken changes nothing, so the
// thread waits.  Three critical sections: 3!.
// expect optimal: executions 6, blocked 0
// expect unfold: executions 6, blocked 0
// expect observers: executions 6, blocked 0
// expect optimal-cs: executions 6, blocked 0
// expect dc: executions 6, blocked 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int count;

static void *section(void *unused) {
  while (atomic_flag_test_and_set(&lock))
    ;
  count++;
  atomic_flag_clear(&lock);
  return unused;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], 0, section, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  assert(count == 3);
}
