// A loop that only computes has no visible operation at all.
// options --loop-bound=2
// expect error assertion
// expect optimal: executions 2, blocked 0
// real no: the search is never complete
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *compute(void *seed) {
  unsigned long value = (unsigned long)seed;
  x = 1;
  for (;;)
    value = value * 3 + 1;
  return (void *)value;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, compute, 0);
  assert(x == 0); // expect assertion here
}
