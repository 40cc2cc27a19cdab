// Two members that are swapped together, as a place and its version are.  Each
// read and its swap are one step: one execution for each order of the threads,
// as for retry_write_back.
// expect optimal: executions 6, blocked 0
// expect source: executions 6, blocked 0
// expect observers: executions 6, blocked 0
// expect dc: executions 6, blocked 0
// expect dpor: executions 6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
  int count, version;
};
static _Atomic struct pair shared;

static void *add(void *unused) {
  (void)unused;
  struct pair old = shared, new;
  do {
    new = old;
    new.count += 2;
    new.version++;
  } while (!atomic_compare_exchange_strong(&shared, &old, new));
  return 0;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  struct pair end = shared;
  assert(end.count == 6 && end.version == 3);
}
