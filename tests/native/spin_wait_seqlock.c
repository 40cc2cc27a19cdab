// A reader that goes round until no write came meanwhile: it reads four
// places, one of them twice.
// waits for several places
// expect safe
// expect output "0\n"
// expect output "1\n"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int turn, a, b;

static void *change(void *unused) {
  (void)unused;
  atomic_fetch_add(&turn, 1);
  atomic_store(&a, 1);
  atomic_store(&b, 1);
  atomic_fetch_add(&turn, 1);
  return 0;
}

int main(void) {
  pthread_t t;
  int before, x, y;
  pthread_create(&t, 0, change, 0);
  do {
    before = atomic_load(&turn);
    x = atomic_load(&a);
    y = atomic_load(&b);
  } while (before % 2 || before != atomic_load(&turn));
  assert(x == y);
  printf("%d\n", x);
  pthread_join(t, 0);
}
