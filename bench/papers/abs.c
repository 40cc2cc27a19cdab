/* abs(N): N threads store into x, then into y; main joins them and reads both.
 *
 *   -DDIF        every thread stores values of its own, not all the same
 *   -DPHASES=2   all of it twice, each time with a new x and y
 *
 * The stores into x are totally ordered, and those into y: (N!)^2 traces a
 * phase.  Only the last of each is read: N^2 classes for observers. */
#include "common.h"

#ifndef N
#define N 3
#endif
#ifndef PHASES
#define PHASES 1
#endif
#ifdef DIF
#define VALUE(i) ((int)(i) % N + 1)
#else
#define VALUE(i) 1
#endif

static atomic_int x[PHASES], y[PHASES];
static int seen_x[PHASES], seen_y[PHASES];

static void *writer(void *argument) {
  long i = (long)argument;
  store(x[i / N], VALUE(i));
  store(y[i / N], VALUE(i));
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (int phase = 0; phase < PHASES; phase++) {
    start(threads, N, writer, phase * N);
    join(threads, N);
    seen_x[phase] = load(x[phase]);
    seen_y[phase] = load(y[phase]);
  }
}
