// A test-and-test-and-set lock: the read that finds the lock free and the swap
// behind it are one step.  Three critical sections: 3!.
// expect optimal: executions 6, blocked 0
// expect unfold: executions 6, blocked 0
// expect observers: executions 6, blocked 0
// expect optimal-cs: executions 6, blocked 0
// expect dc: executions 6, blocked 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int count;

static void *section(void *unused) {
  int free;
  do {
    while (lock)
      ;
    free = 0;
  } while (!atomic_compare_exchange_strong(&lock, &free, 1));
  count++;
  lock = 0;
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
