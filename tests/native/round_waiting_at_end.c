// The loop ends only before the write: the thread that waits at the end of
// the first execution races with it.
// expect output "2\n"
// expect error livelock
// expect optimal: executions 2, blocked 0
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;

static void *thread0(void *unused) {
  x = 2;
  return unused;
}

static void *thread1(void *unused) {
  while (x >= 1)
    ;
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, thread0, 0);
  pthread_create(&t[1], 0, thread1, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  printf("%d\n", x);
}
