// Blocks that commute although they depend on each other: --verify takes every
// two in both orders, and changes() must see that they lead to one state.
// Three blocks on one variable are totally ordered: 3! = 6 (theory).
// expect optimal: executions 6, blocked 0
// expect source: executions 6
// options --verify
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static long sum;

static void *add(void *argument) {
  heddle_atomic_begin();
  sum += (long)argument;
  heddle_atomic_end();
  return 0;
}

int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 3; i++)
    pthread_create(&t[i], 0, add, (void *)(1L << 10 * i));
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  assert(sum == 1 + (1 << 10) + (1 << 20));
}
