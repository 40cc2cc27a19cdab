/* readers(N): one thread writes x, N threads read it (Abdulla et al. 2014: Optimal
 * dynamic partial order reduction).
 *
 *   -DK=3        every reader reads three times: reads(N,3)
 *
 * Each reader sees the write from one of its reads on, or not at all: (K+1)^N
 * traces, 2^N with one read each.  As many classes for observers. */
#include "common.h"

#ifndef N
#define N 4
#endif
#ifndef K
#define K 1
#endif

static atomic_int x;

static void *writer(void *argument) {
  store(x, 1);
  return argument;
}

static void *reader(void *argument) {
  for (int i = 0; i < K; i++)
    (void)load(x);
  return argument;
}

int main(void) {
  pthread_t threads[N + 1];
  start(threads, 1, writer, 0);
  start(&threads[1], N, reader, 1);
  join(threads, N + 1);
}
