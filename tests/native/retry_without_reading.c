// A swap that fails leads back to the swap, not to the read before it: what the
// read saw stays.  The loop waits for ever for a zero that was there when it was
// read.
// expect error livelock
// expect output "1 1\n"
// expect output "0 1\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;

static void *set(void *unused) {
  x = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  int seen = x, old;
  if (seen != 1)
    do
      old = 0;
    while (!atomic_compare_exchange_strong(&x, &old, 2));
  pthread_join(t, 0);
  printf("%d %d\n", seen, x);
}
