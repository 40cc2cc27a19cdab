// The bound is exact: a thread may go round twice and come to the head again,
// so that a loop of two rounds would be left as a whole.
// options --loop-bound=2
// expect incomplete
// expect optimal: executions 4, blocked 0
// expect output "0\n"
// expect output "1\n"
// expect output "2\n"
// expect output "3\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;

static void *add(void *unused) {
  for (;;)
    x++;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, add, 0);
  printf("%d\n", x);
}
