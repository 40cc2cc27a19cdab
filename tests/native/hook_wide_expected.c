// A compare-and-swap of 16 bytes expects what another thread writes: the plain
// accesses of the function of libatomic to it are steps, too.  It swaps if the
// write comes after its read; otherwise it fails and writes the 0 that it found.
// expect output "1 1\n"
// expect output "0 0\n"
// expect optimal: executions 2, blocked 0
// expect unfold: executions 2, blocked 0
// expect source: executions 2
// options --races=off
// real no: two accesses of the machine for 16 bytes that race
#include <pthread.h>
#include <stdio.h>

static __int128 shared, expected;

static void *disturb(void *argument) {
  expected = 1;
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, disturb, 0);
  int swapped =
      __atomic_compare_exchange_n(&shared, &expected, 7, 0, __ATOMIC_SEQ_CST,
                                  __ATOMIC_SEQ_CST);
  pthread_join(t, 0);
  printf("%d %d\n", swapped, (int)expected);
}
