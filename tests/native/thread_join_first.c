// The first step of a thread is a join.  It comes after the thread's creation,
// not only after the end of the thread that it joins: no data race, one order
// (theory).
// expect optimal: executions 1, blocked 0
// expect unfold: executions 1, blocked 0
// expect source: executions 1
// expect dc: executions 1
// expect output "2\n"
// options --races=error
#include <pthread.h>
#include <stdio.h>

static int x;

static void *nothing(void *argument) {
  return argument;
}

static void *join(void *thread) {
  pthread_join((pthread_t)thread, 0);
  x = 2;
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, nothing, 0);
  x = 1;
  pthread_create(&b, 0, join, (void *)a);
  pthread_join(b, 0);
  printf("%d\n", x);
}
