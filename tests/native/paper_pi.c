// PI(5) of the quasi-optimal paper, table 1: 120 executions (the paper).
// expect optimal: executions 120, blocked 0
// expect unfold: executions 120, blocked 0
// expect source: executions 120
// algorithms source optimal unfold
#include <pthread.h>

#ifndef N
#define N 5
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static double sum;

static void *part(void *argument) {
  double mine = 0;
  for (long k = (long)argument; k < 5000; k += N)
    mine += (k % 2 ? -4.0 : 4.0) / (double)(2 * k + 1);
  pthread_mutex_lock(&m);
  sum += mine;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], 0, part, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
}
