// alternate(3) of the data-centric paper: 328 traces (exact, from its table).
// expect optimal: executions 328, blocked 0
// expect unfold: executions 328, blocked 0
// expect source: executions 328
// algorithms source optimal unfold
// options --races=off
#include <pthread.h>

#ifndef N
#define N 3
#endif
static int x;

static void *run(void *argument) {
  int v = (int)(long)argument;
  for (int i = 0; i < N; i++) {
    x = v;
    v = x;
  }
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, (void *)1L);
  pthread_create(&b, 0, run, (void *)2L);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
