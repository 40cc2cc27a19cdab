// A loop that complains in each round waits all the same: text on the error stream is no
// outcome.  That is so before and after another thread has ended the process: whether the
// loop waits may not depend on the end, of which no event knows.  Counts: the naive
// explorer's traces.
// algorithms naive source optimal observers cs optimal-cs unfold dc
// options --loop-bound=3 --exit-status=any
// expect optimal: executions 3, blocked 0
// expect output ""
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int first, second;

static void *give_up(void *unused) {
  (void)unused;
  exit(3);
}

static void *answer(void *unused) {
  atomic_store(&first, 1);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, give_up, 0);
  pthread_create(&threads[1], 0, answer, 0);
  while (!atomic_load(&first) && !atomic_load(&second))
    fputs("not yet\n", stderr);
  return 0;
}
