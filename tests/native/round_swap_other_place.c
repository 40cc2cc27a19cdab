// A loop of a look at one place and a compare-and-swap on another.
// expect output "1 0 0\n"
// expect output "1 1 0\n"
// waits for several places
// expect error livelock
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x, y;
static int c, d, a;

static void *thread0(void *unused) {
  int e = 0;
  c = atomic_compare_exchange_strong(&x, &e, 1);
  d = y;
  return unused;
}

static void *thread1(void *unused) {
  int e;
  do
    e = a = x;
  while (!atomic_compare_exchange_strong(&y, &e, 1));
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, thread0, 0);
  pthread_create(&t[1], 0, thread1, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  printf("%d %d %d\n", c, d, a);
}
