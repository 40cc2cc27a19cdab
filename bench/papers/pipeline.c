/* pipeline(N), paper 3: N threads and N - 1 variables; thread j reads and writes
 * back x[j - 1], then x[j]; the first and the last have one variable.
 *
 * 4^(N-1) traces, 3^(N-1) ways to observe. */
#include "common.h"

#ifndef N
#define N 3
#endif

static atomic_int x[N - 1];

static void *stage(void *argument) {
  long j = (long)argument;
  for (long i = j - 1; i <= j; i++)
    if (i >= 0 && i < N - 1) {
      int v = load(x[i]);
      store(x[i], v);
    }
  return 0;
}

int main(void) {
  pthread_t threads[N];
  start(threads, N, stage, 0);
  join(threads, N);
}
