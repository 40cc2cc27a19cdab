// A test-and-test-and-set lock by exchange: the read that finds the lock free and
// the exchange behind it are one step, since the lock has two values only.  Four
// critical sections: 4!.
// expect optimal: executions 24, blocked 0
// expect source: executions 24, blocked 0
// algorithms dpor source optimal
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int count;

static void *section(void *unused) {
  do
    while (lock)
      ;
  while (atomic_exchange(&lock, 1));
  count++;
  lock = 0;
  return unused;
}

int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&t[i], 0, section, 0);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], 0);
  assert(count == 4);
}
