// One thread too few.
// expect error deadlock
// expect all: executions 1
#include <pthread.h>

int main(void) {
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_barrier_wait(&barrier);
}
