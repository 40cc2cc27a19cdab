/* floatingread(N): N threads store into x; main reads x before it joins them.
 *
 *   -DDIF        every thread stores a value of its own, and what main read is
 *                kept; otherwise only the result of a test is
 *   -DPHASES=2   all of it twice, each time with a new x (with one x the second
 *                read can see a store of the first phase: not the paper's 169)
 *
 * N stores and a read, totally ordered: (N+1)! traces a phase.  Only what is
 * stored before the read and which store it sees is observed: N*2^(N-1)+1. */
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

static void *writer(void *argument) {
  long i = (long)argument;
  store(x[i / N], VALUE(i));
  return 0;
}

/* A function of its own that returns 0: the value must not stay behind in the
 * register of results, which main's next call may push. */
block int look(int phase) {
#ifdef DIF
  static int seen[PHASES];
  seen[phase] = load(x[phase]);
#else
  assert(load(x[phase]) < N + 1);
#endif
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (int phase = 0; phase < PHASES; phase++) {
    start(threads, N, writer, phase * N);
    look(phase);
    join(threads, N);
  }
}
