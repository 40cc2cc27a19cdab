// wwr(3), figure 9 of the data-centric paper: two threads, three writes of x and
// then a read: C(8,4) - C(6,3) = 50 traces (the formula in its text).
// expect optimal: executions 50, blocked 0
// expect unfold: executions 50, blocked 0
// expect source: executions 50
// algorithms source optimal unfold
// options --races=off
#include <pthread.h>

static int x;

static void *run(void *argument) {
  x = (int)(long)argument;
  x = 3;
  x = 4;
  return (void *)(long)x;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, (void *)1L);
  pthread_create(&b, 0, run, (void *)2L);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
