// What a thread returns is dead when it was joined and the result was not asked
// for, or was taken: all ends are one state.
// algorithms naive optimal stateful
// expect naive: executions 168
// expect optimal: executions 4, blocked 0
// expect stateful: executions 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *write_it(void *value) {
  x = (int)(long)value;
  return 0;
}

static void *read_it(void *unused) {
  (void)unused;
  return (void *)(long)x;
}

int main(void) {
  pthread_t threads[3];
  void *seen;
  pthread_create(&threads[0], 0, write_it, (void *)1);
  pthread_create(&threads[1], 0, read_it, 0);
  pthread_create(&threads[2], 0, read_it, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  pthread_join(threads[2], &seen);
  assert(seen == (void *)0 || seen == (void *)1);
  seen = 0;
}
