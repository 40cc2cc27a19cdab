/* lastzero(N): one thread looks for the last zero of a[0..N]; thread j of 1..N
 * sets a[j] = a[j-1] + 1.
 *
 * 2^(N-2) * (N+3) traces: the formula fits the 64, 3328 and 147456 that the
 * paper on optimal DPOR (POPL 2014) gives for N = 5, 10 and 15.  No location is
 * stored to twice, so that observers changes nothing. */
#include "common.h"

#ifndef N
#define N 5
#endif

static atomic_int a[N + 1];

static void *step(void *argument) {
  int j = (int)(long)argument;
  if (j > 0) {
    store(a[j], load(a[j - 1]) + 1);
    return 0;
  }
  for (int i = N; load(a[i]) != 0;)
    i--;
  return 0;
}

int main(void) {
  pthread_t threads[N + 1];
  start(threads, N + 1, step, 0);
  join(threads, N + 1);
}
