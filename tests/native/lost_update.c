// Two unprotected increments: the result can be 1.  The compiler's hook for the
// read in x++ is left out unless it is asked for; without it this is "safe".
// Interleavings of two times read, write: a trace is decided by the orders of
// the conflicting pairs.  r1 w1 r2 w2, r2 w2 r1 w1, and those in which both
// reads come first: 2 orders of the writes.  4 traces (theory).
// expect optimal: executions 4, blocked 0
// expect source: executions 4
// expect error assertion
// options --races=off
#include <assert.h>
#include <pthread.h>

static int x;

static void *increment(void *unused) {
  x++;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, increment, 0);
  pthread_create(&b, 0, increment, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2); // expect assertion here
}
