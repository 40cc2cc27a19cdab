// An element of a local array is incremented by two threads: an update is lost.
// The reads are independent: 6 orders, 4 traces.
// expect optimal: executions 4, blocked 0
// expect output "1\n"
// expect output "2\n"
// options --races=off
// algorithms naive optimal source dc
#include <pthread.h>
#include <stdio.h>

static void *add(void *p) {
  ++*(int *)p;
  return 0;
}

int main(void) {
  pthread_t t;
  int n[3] = {0};
  pthread_create(&t, 0, add, &n[1]);
  n[1]++;
  pthread_join(t, 0);
  printf("%d\n", n[1]);
}
