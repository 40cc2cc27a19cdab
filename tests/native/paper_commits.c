// commits(2) of the data-centric paper: 424 traces (exact, from its table).
// expect optimal: executions 424, blocked 0
// expect unfold: executions 424, blocked 0
// expect source: executions 424
// algorithms source optimal unfold
// options --races=off
#include <pthread.h>

#ifndef C
#define C 2
#endif
static int x;

static void *run(void *argument) {
  int id = (int)(long)argument, successes = 0;
  for (int attempt = 0; successes < C && attempt < 2 * C; attempt++) {
    x = id;
    if (x == id)
      successes++;
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
