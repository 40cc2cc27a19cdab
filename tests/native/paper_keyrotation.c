// keyrotation(2) of the data-centric paper: 228 traces (exact, from its table).
// expect optimal: executions 228, blocked 0
// expect unfold: executions 228, blocked 0
// expect source: executions 228
// algorithms source optimal unfold
// options --races=off
#include <pthread.h>

#ifndef C
#define C 2
#endif
static int key;
static int seen[2];

static void *run(void *argument) {
  long id = (long)argument;
  int sum = 0;
  for (int c = 0; c < C; c++) {
    key = (int)id;
    for (int i = 0; i < 3; i++)
      sum += key;
  }
  seen[id] = sum;
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, (void *)0L);
  pthread_create(&b, 0, run, (void *)1L);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
