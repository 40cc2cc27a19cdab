// The same with sixteen bytes, of which a half is written.
// expect safe
// expect output "0\n"
// expect output "1\n"
// algorithms source optimal dc unfold
// libs -latomic
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

struct pair {
  long a, b;
};

static _Atomic struct pair x;

static void *swing(void *unused) {
  (void)unused;
  atomic_store(&x, ((struct pair){1, 0}));
  atomic_store(&x, ((struct pair){0, 0}));
  return 0;
}

int main(void) {
  pthread_t t;
  struct pair old, new = {5, 5};
  pthread_create(&t, 0, swing, 0);
  do
    old = atomic_load(&x);
  while (!atomic_compare_exchange_strong(&x, &old, new));
  pthread_join(t, 0);
  printf("%ld\n", old.a);
}
