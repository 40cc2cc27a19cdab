/* wwr(N), paper 3, figure 9: two threads, each N writes of x, then one read.
 *
 * C(2N+2,N+1) - C(2N,N) traces, 2N + 1 ways to observe. */
#include "common.h"

#ifndef N
#define N 3
#endif

static atomic_int x;

static void *process(void *argument) {
  for (int i = 0; i < N; i++)
    store(x, (int)(long)argument * N + i);
  return (void *)(long)load(x);
}

int main(void) {
  pthread_t threads[2];
  start(threads, 2, process, 1);
  join(threads, 2);
}
