/* commits(N), paper 3: two threads; each writes x, and has committed if x is still
 * its own; until N commits, with 2N attempts at most.
 *
 * The paper does not say how often it tries; this gives its counts: 424 traces for N
 * = 2, and 293, 16401, 1008755 ways to observe for N = 2, 3, 4. */
#include "common.h"

#ifndef N
#define N 2
#endif

static atomic_int x;

static void *commit(void *argument) {
  int id = (int)(long)argument, commits = 0;
  for (int attempt = 0; commits < N && attempt < 2 * N; attempt++) {
    store(x, id);
    if (load(x) == id)
      commits++;
  }
  return 0;
}

int main(void) {
  pthread_t threads[2];
  start(threads, 2, commit, 1);
  join(threads, 2);
}
