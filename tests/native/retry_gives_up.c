// The first value decides whether to try at all, those of swaps that fail do not:
// to fail is not the same as to read again, so the read is a step of its own.
// expect output "1\n"
// expect output "3\n"
// expect output "2\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;

static void *add(void *unused) {
  int old = x;
  if (old == 1)
    return unused;
  while (!atomic_compare_exchange_weak(&x, &old, old + 1))
    ;
  return unused;
}

int main(void) {
  pthread_t t;
  x = 0;
  pthread_create(&t, 0, add, 0);
  x++;
  add(0);
  pthread_join(t, 0);
  printf("%d\n", x);
}
