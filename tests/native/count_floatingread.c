// Four threads store into x; main reads x before it joins them.
// Five accesses that are totally ordered, but reads and the stores before and
// after: main's read conflicts with every store, so (4+1)! = 120 (theory).
// expect optimal: executions 120, blocked 0
// expect unfold: executions 120, blocked 0
// With observers: which stores come before the read, and which of them it sees:
// 4 * 2^3 + 1 = 33 (paper 1).
// expect observers: executions 33, blocked 0
// expect source: executions 120
// algorithms source optimal observers unfold
// options --races=off
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 4
#endif
static int x;

static void *writer(void *unused) {
  x = 1;
  return unused;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], 0, writer, 0);
  assert(x < N + 1);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
}
