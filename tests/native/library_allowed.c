// An allowed function that keeps nothing.
// options --allow-external=a64l
// expect optimal: executions 2, blocked 0
// expect output "2\n"
// expect output "3\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int turns;

static void *turn(void *unused) {
  turns++;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, turn, 0);
  printf("%ld\n", a64l(turns ? "1" : "0"));
  pthread_join(t, 0);
}
