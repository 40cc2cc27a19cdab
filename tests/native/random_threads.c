// All threads draw from one sequence, as in glibc: the thread that draws first
// gets the first number.  The numbers are those of glibc.
// expect optimal: executions 2, blocked 0
// expect output "first 1804289383, second 846930886\n"
// expect output "first 846930886, second 1804289383\n"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int first;

static void *draw(void *unused) {
  (void)unused;
  first = rand();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, draw, 0);
  int second = rand();
  pthread_join(thread, 0);
  printf("first %d, second %d\n", first, second);
}
