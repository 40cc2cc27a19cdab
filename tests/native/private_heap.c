// A block is filled privately and handed over; the second thread's bug is found
// although the filling is no step of its own.
// expect error memory
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) handed;

static void *producer(void *unused) {
  int *block = malloc(4 * sizeof *block);
  for (int i = 0; i < 4; i++)
    block[i] = i;
  atomic_store(&handed, block);
  return unused;
}

static void *consumer(void *unused) {
  int *block = atomic_load(&handed), sum = 0;
  for (int i = 0; block && i <= 4; i++)
    sum += block[i]; // expect memory here
  free(block);
  return sum ? unused : 0;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, producer, 0);
  pthread_create(&t[1], 0, consumer, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
}
