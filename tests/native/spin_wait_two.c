// A loop that reads two locations waits for either; writing the value that is
// there already wakes no loop.
// expect output "a 1\n"
// expect output "a 2\n"
// expect output "b 1\n"
// expect output "b 2\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int a, b;

static void *set_a(void *unused) {
  (void)unused;
  atomic_store(&a, 0);
  atomic_store(&a, 1);
  return 0;
}

static void *set_b(void *unused) {
  (void)unused;
  atomic_store(&b, 1);
  return 0;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, set_a, 0);
  pthread_create(&t[1], 0, set_b, 0);
  const char *first = 0;
  while (!first) {
    if (atomic_load(&a))
      first = "a";
    else if (atomic_load(&b))
      first = "b";
  }
  printf("%s %d\n", first, atomic_load(&a) + atomic_load(&b));
}
