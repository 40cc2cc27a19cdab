/* peterson(N,A), paper 3: Peterson's lock for two threads, N rounds; a thread
 * that has waited A times gives up.
 *
 * The paper's program is not known (58 traces and 90 annotations for (1,2)): what
 * it prints in its appendix has fewer.  This is that, with the counter that the lock
 * protects. */
#include "common.h"

#ifndef N
#define N 1
#endif
#ifndef A
#define A 2
#endif

static atomic_int interested[2], turn, counter;

static void *process(void *argument) {
  long self = (long)argument, other = 1 - self;
  for (int total = 0; total < N; total++) {
    store(interested[self], 1);
    store(turn, (int)other);
    for (int i = 0; load(interested[other]) && load(turn) == other; i++)
      if (i + 1 == A) {
        store(interested[self], 0);
        return 0;
      }
    store(counter, load(counter) + 1);
    store(interested[self], 0);
  }
  return 0;
}

int main(void) {
  pthread_t threads[2];
  start(threads, 2, process, 0);
  join(threads, 2);
}
