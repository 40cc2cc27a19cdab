// A read among additions that commute: each comes before it or after it: 2 * 2 * 2.
// expect optimal: executions 8, blocked 0
// expect unfold: executions 8, blocked 0
// expect observers: executions 8, blocked 0
// expect output "0\n"
// expect output "1\n"
// expect output "2\n"
// expect output "3\n"
// expect output "4\n"
// expect output "5\n"
// expect output "6\n"
// expect output "7\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int sum;

static void *add(void *amount) {
  sum += (int)(long)amount;
  return 0;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], 0, add, (void *)(1L << i));
  int seen = sum;
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  printf("%d\n", seen);
}
