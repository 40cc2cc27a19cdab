// A seed set by one thread is the other's, too: 3 * 2 orders of two calls each.
// expect optimal: executions 6, blocked 0
// real no: four numbers in 6 orders take many runs
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *seeded(void *unused) {
  (void)unused;
  srand(7);
  rand();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, seeded, 0);
  seeded(0);
  pthread_join(thread, 0);
}
