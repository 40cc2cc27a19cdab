// Four threads store into x; main joins them and reads x.
// The stores are totally ordered in any trace: 4! = 24 (theory).
// expect optimal: executions 24, blocked 0
// expect unfold: executions 24, blocked 0
// With observers only which one main reads: 4 (paper 1).
// expect observers: executions 4, blocked 0
// expect source: executions 24
// algorithms source optimal observers unfold
// options --races=off
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
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  return x - 1;
}
