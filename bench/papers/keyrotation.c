/* keyrotation(N), paper 3: two threads, each N times: write the key, read it three
 * times.
 *
 * 228 traces for N = 2, and 181, 5503, 176503 ways to observe for N = 2, 3, 4. */
#include "common.h"

#ifndef N
#define N 2
#endif

static atomic_int key;

static void *rotate(void *argument) {
  long sum = 0;
  for (int c = 0; c < N; c++) {
    store(key, (int)(long)argument);
    for (int i = 0; i < 3; i++)
      sum += load(key);
  }
  return (void *)sum;
}

int main(void) {
  pthread_t threads[2];
  start(threads, 2, rotate, 1);
  join(threads, 2);
}
