// Two atomic blocks on the same variable: 2 orders, and no update is lost.
// Blocks may be nested.
// expect optimal: executions 2, blocked 0
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static int x;

static void *increment(void *unused) {
  (void)unused;
  heddle_atomic_begin();
  heddle_atomic_begin();
  int old = x;
  heddle_atomic_end();
  x = old + 1;
  heddle_atomic_end();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, increment, 0);
  increment(0);
  pthread_join(t, 0);
  assert(x == 2);
}
