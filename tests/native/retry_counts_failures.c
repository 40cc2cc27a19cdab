// A swap that fails is counted, in memory that only this thread uses: to fail is
// not the same as to read again.
// expect output "0\n"
// expect output "1\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;
static int failures;

static void *set(void *unused) {
  x = 7;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  int old = x;
  while (!atomic_compare_exchange_strong(&x, &old, old + 1))
    failures++;
  pthread_join(t, 0);
  printf("%d\n", failures);
}
