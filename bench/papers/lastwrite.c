/* lastwrite(N): N threads store into x; main joins them, then reads x.
 *
 *   -DDIF        every thread stores a value of its own, not all the same
 *   -DPHASES=3   all of it three times, each time with a new x
 *
 * The stores are totally ordered: N! traces a phase.  Only the last one is
 * read: N classes a phase for observers. */
#include "common.h"

#ifndef N
#define N 4
#endif
#ifndef PHASES
#define PHASES 1
#endif
#ifdef DIF
#define VALUE(i) ((int)(i) % N + 1)
#else
#define VALUE(i) 1
#endif

static atomic_int x[PHASES];
static int seen[PHASES];

static void *writer(void *argument) {
  long i = (long)argument;
  store(x[i / N], VALUE(i));
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (int phase = 0; phase < PHASES; phase++) {
    start(threads, N, writer, phase * N);
    join(threads, N);
    seen[phase] = load(x[phase]);
  }
}
