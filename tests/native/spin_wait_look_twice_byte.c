// The same with one byte: a loop that looks twice at a place and saw two
// values does not wait.
// waits for several places
// expect safe
// expect output "0 0\n"
// expect output "0 5\n"
// expect output "1 0\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static _Atomic char x;

static void *swing(void *unused) {
  (void)unused;
  atomic_store(&x, 1);
  atomic_store(&x, 0);
  return 0;
}

int main(void) {
  pthread_t t;
  char old;
  pthread_create(&t, 0, swing, 0);
  do
    old = atomic_load(&x);
  while (!atomic_compare_exchange_strong(&x, &old, 5));
  pthread_join(t, 0);
  printf("%d %d\n", old, atomic_load(&x));
}
