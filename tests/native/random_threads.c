// Every thread draws from its own sequence: no order matters.
// expect all: executions 1
// expect optimal: executions 1, blocked 0
// algorithms optimal source
// real no: all threads draw from one sequence
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *draw(void *unused) {
  (void)unused;
  int a = rand(), b = rand();
  assert(a >= 0 && b >= 0 && a != b);
  srand(7);
  a = rand();
  srand(7);
  assert(rand() == a);
  assert(drand48() < 1 && random() >= 0);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, draw, 0);
  draw(0);
  pthread_join(thread, 0);
}
