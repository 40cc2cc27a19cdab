// N threads pass a barrier twice: 1 execution.
#include "common.h"

#ifndef N
#define N 6
#endif
static pthread_barrier_t barrier;
static int before[N];

static void *run(void *number) {
  int me = (int)(long)number;
  before[me] = 1;
  pthread_barrier_wait(&barrier);
  assert(before[(me + 1) % N]);
  pthread_barrier_wait(&barrier);
  return 0;
}

int main(void) {
  pthread_barrier_init(&barrier, 0, N);
  run_threads(N, run);
}
