/* pi(N): N workers, each of which adds its part to one sum in an atomic block.
 *
 * The parts are integers, so that adding commutes exactly.  The blocks are
 * totally ordered, and each reads what the one before it stored: N! traces,
 * also for observers. */
#include "common.h"

#ifndef N
#define N 4
#endif

static int sum;

block void add(int part) {
  heddle_atomic_begin();
  sum += part;
  heddle_atomic_end();
}

/* A term of the series 4/1 - 4/3 + 4/5 - ..., in millionths. */
static int term(int k) {
  int size = 4000000 / (2 * k + 1);
  return k % 2 ? -size : size;
}

static void *worker(void *argument) {
  add(term((int)(long)argument));
  return 0;
}

int main(void) {
  pthread_t threads[N];
  start(threads, N, worker, 0);
  join(threads, N);
  assert(sum > 2000000 && sum <= 4000000);
}
