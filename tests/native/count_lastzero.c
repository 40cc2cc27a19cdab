// lastzero(5) of the optimal-DPOR paper (POPL 2014): 64 traces; the paper's
// three figures 64, 3328, 147456 for N = 5, 10, 15 are 2^(N-2) * (N+3).
// expect optimal: executions 64, blocked 0
// expect unfold: executions 64, blocked 0
// expect source: executions 64
// algorithms source optimal unfold
// options --races=off
#include <pthread.h>

#ifndef N
#define N 5
#endif
static int a[N + 1];

static void *walk(void *unused) {
  int i = N;
  while (a[i] != 0)
    i--;
  return unused;
}

static void *step(void *argument) {
  int j = (int)(long)argument;
  a[j] = a[j - 1] + 1;
  return 0;
}

int main(void) {
  pthread_t t[N + 1];
  pthread_create(&t[0], 0, walk, 0);
  for (long j = 1; j <= N; j++)
    pthread_create(&t[j], 0, step, (void *)j);
  for (int j = 0; j <= N; j++)
    pthread_join(t[j], 0);
}
