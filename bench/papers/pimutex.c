/* PI(N): N threads sum their part of a series for pi, then add it to the whole
 * under a mutex.
 *
 * Paper 4, table 1.  The additions are totally ordered: N! traces. */
#include "common.h"

#ifndef N
#define N 4
#endif

enum { TERMS = 5000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double sum;

static void *worker(void *argument) {
  double part = 0;
  for (long k = (long)argument; k < TERMS; k += N)
    part += (k % 2 ? -4.0 : 4.0) / (double)(2 * k + 1);
  pthread_mutex_lock(&lock);
  sum += part;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t threads[N];
  start(threads, N, worker, 0);
  join(threads, N);
  assert(sum > 3.141 && sum < 3.142);
}
