// A livelock that ends in the middle of a round with a compare-and-swap: when the
// schedule is run again, the loop is found to wait there, too.
// expect error livelock
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *looks(void *unused) {
  for (;;) {
    int expected = 1;
    while (!x)
      ;
    atomic_compare_exchange_strong(&y, &expected, 0);
  }
  return unused;
}

static void *writes(void *unused) {
  x = 1;
  return unused;
}

static void *writes_twice(void *unused) {
  x = 1;
  x = 0;
  return unused;
}

int main(void) {
  pthread_t thread[3];
  pthread_create(&thread[0], NULL, looks, NULL);
  pthread_create(&thread[1], NULL, writes, NULL);
  pthread_create(&thread[2], NULL, writes_twice, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(thread[i], NULL);
}
