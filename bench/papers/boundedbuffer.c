/* boundedbuffer(N): a producer puts N items into a buffer with room for all, a
 * consumer takes N times; taking from an empty buffer gives nothing.
 *
 * Every put and every take use `tail`, and one of the two stores to it: all
 * C(2N,N) ways to merge the two threads are traces, also for observers, as each
 * put reads what the one before it stored. */
#include "common.h"

#ifndef N
#define N 4
#endif

static int buffer[N], head, tail;

block void put(int item) {
  heddle_atomic_begin();
  buffer[tail] = item;
  tail = tail + 1;
  heddle_atomic_end();
}

block int take(void) {
  int item = 0;
  heddle_atomic_begin();
  if (head < tail) {
    item = buffer[head];
    head = head + 1;
  }
  heddle_atomic_end();
  return item;
}

static void *produce(void *unused) {
  for (int i = 1; i <= N; i++)
    put(i);
  return unused;
}

static void *consume(void *unused) {
  int sum = 0;
  for (int i = 1; i <= N; i++)
    sum += take();
  assert(sum <= N * (N + 1) / 2);
  return unused;
}

int main(void) {
  pthread_t producer, consumer;
  pthread_create(&producer, 0, produce, 0);
  pthread_create(&consumer, 0, consume, 0);
  pthread_join(producer, 0);
  pthread_join(consumer, 0);
}
