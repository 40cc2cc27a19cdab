/* pipesort(N): a row of N cells between N+1 values; cell k keeps the smaller of
 * its two values on its left and passes the larger on to its right, in an
 * atomic block.
 *
 * The paper's program is not known.  Its counts for observers, 4, 64, 256, 1024
 * for N = 3, 7, 9, 11, are 2^(N-1): the ways to order each two neighbours in a
 * row of N.  Its 6 for N = 3 under optimal is 3!, so that every two steps
 * depend on each other, two that are not neighbours by stores that are never
 * read.  Hence the flag that all of them set: N! traces, 2^(N-1) for
 * observers.
 *
 * The paper's optimal-cs-ob has 2, 13, 34, 89 (Fibonacci numbers).  The values
 * here rise and then fall, which leaves 2, 11, 23, 47 different results: no
 * sound explorer can have fewer executions.  (With falling values every class
 * has a result of its own.) */
#include "common.h"

#ifndef N
#define N 3
#endif

static int value[N + 1];
static int moved; /* never read */

block void cell(int k) {
  heddle_atomic_begin();
  int left = value[k], right = value[k + 1];
  value[k] = left < right ? left : right;
  value[k + 1] = left < right ? right : left;
  moved = 1;
  heddle_atomic_end();
}

static void *run(void *argument) {
  cell((int)(long)argument);
  return 0;
}

int main(void) {
  for (int k = 0; k <= N; k++)
    value[k] = k < N - k ? k : N - k;
  pthread_t threads[N];
  start(threads, N, run, 0);
  join(threads, N);
}
