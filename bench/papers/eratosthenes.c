/* eratosthenes(N), paper 3: two threads sieve one array of N flags.
 *
 * 398, 1592, 2688 traces for N = 5, 6, 7, and 116, 348 ways to observe for N = 5, 6.
 * (The paper's 305 and 1045 annotations count some of them more than once.) */
#include "common.h"

#ifndef N
#define N 5
#endif

static atomic_int naturals[N];

static void *sieve(void *argument) {
  for (int i = 0; i < N; i++)
    if (!load(naturals[i])) {
      store(naturals[i], 1);
      for (int j = 2 * i + 2; j < N; j += i + 2)
        store(naturals[j], 2);
    }
  return argument;
}

int main(void) {
  pthread_t threads[2];
  start(threads, 2, sieve, 0);
  join(threads, 2);
}
