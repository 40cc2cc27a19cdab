/* both(N): in each phase N threads store values of their own into x, of which
 * main reads the last one, and then N threads add to a sum in atomic blocks.
 *
 *   -DPHASES=3   all of it three times, each time with a new x and sum
 *
 * Which store is last matters, and only that; the order of the additions does
 * not: N outcomes a phase.  There are (N!)^2 traces a phase, N * N! classes for
 * observers, and N! * 1 if only what commutes counts. */
#include "common.h"

#include <stdio.h>

#ifndef N
#define N 3
#endif
#ifndef PHASES
#define PHASES 1
#endif

static atomic_int x[PHASES];
static int sum[PHASES];

static void *writer(void *argument) {
  long i = (long)argument;
  store(x[i / N], (int)(i % N) + 1);
  return 0;
}

block void add(int *to, int part) {
  heddle_atomic_begin();
  *to += part;
  heddle_atomic_end();
}

static void *adder(void *argument) {
  long i = (long)argument;
  add(&sum[i / N], 1 << i % N);
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (int phase = 0; phase < PHASES; phase++) {
    start(threads, N, writer, phase * N);
    join(threads, N);
    printf("%d ", load(x[phase]));
    start(threads, N, adder, phase * N);
    join(threads, N);
    printf("%d\n", sum[phase]);
    assert(sum[phase] == (1 << N) - 1);
  }
}
