// Three threads, of which two ask whether they are the serial one: each of them
// is, or the third.
// expect optimal: executions 3, blocked 0
// expect output "0 0\n"
// expect output "0 1\n"
// expect output "1 0\n"
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t barrier;
static int serial[2];

static void *asks(void *mine) {
  *(int *)mine =
      pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
  return 0;
}

int main(void) {
  pthread_t t[2];
  pthread_barrier_init(&barrier, 0, 3);
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, asks, &serial[i]);
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  printf("%d %d\n", serial[0], serial[1]);
}
