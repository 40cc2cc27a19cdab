// The loop of a function that is called twice, for two places: what the first
// call saw is no round of the second.
// expect output "2\n"
// expect optimal: executions 1, blocked 0
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x, y;

static void wait_for(atomic_int *place) {
  while (!*place)
    ;
}

static void *thread0(void *unused) {
  wait_for(&x);
  wait_for(&y);
  return unused;
}

static void *thread1(void *unused) {
  x = 1;
  y = 1;
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, thread0, 0);
  pthread_create(&t[1], 0, thread1, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  printf("%d\n", x + y);
}
