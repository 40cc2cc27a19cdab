// A compare-and-swap of 24 bytes, which is a function of libatomic: it swaps, or
// it finds what the other thread stored.
// expect output "0 3\n"
// expect output "1 0\n"
// expect optimal: executions 2, blocked 0
// expect unfold: executions 2, blocked 0
// expect source: executions 2
#include <pthread.h>
#include <stdio.h>

struct value {
  long a, b, c;
};
static struct value shared;

static void *store(void *argument) {
  struct value v = {3, 4, 5};
  __atomic_store(&shared, &v, __ATOMIC_SEQ_CST);
  return argument;
}

int main(void) {
  pthread_t t;
  struct value expected = {0}, new = {1, 2, 3};
  pthread_create(&t, 0, store, 0);
  int swapped =
      __atomic_compare_exchange(&shared, &expected, &new, 0, __ATOMIC_SEQ_CST,
                                __ATOMIC_SEQ_CST);
  pthread_join(t, 0);
  printf("%d %ld\n", swapped, expected.a);
}
