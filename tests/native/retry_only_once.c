// No loop: a swap that fails does not lead back, so the read and the swap are two
// steps, and another thread's write may come between them.
// expect output "1 1\n"
// expect output "1 0\n"
// expect output "0 1\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x = 1;

static void *clear(void *unused) {
  x = 0;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, clear, 0);
  int seen = x, old = seen;
  int swapped = atomic_compare_exchange_strong(&x, &old, 2);
  pthread_join(t, 0);
  printf("%d %d\n", seen, swapped);
}
