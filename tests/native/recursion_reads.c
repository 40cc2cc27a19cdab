// A recursive function reads what another thread writes. Built for stored states,
// it has many words to overwrite, and the compiler would like to keep what they
// are overwritten with in a register, which then looks dead
// (tests/cli/states.sh).
// Counts: each of two elements is read before or after it is written.
// options --races=off
// expect optimal: executions 4
// expect output "0 6\n"
// expect output "3 6\n"
// expect output "6 6\n"
// real no: a data race
#include <pthread.h>
#include <stdio.h>

static int numbers[3];

static __attribute__((noinline)) int sum(const int *at, int count) {
  return count ? at[0] + sum(at + 1, count - 1) : 0;
}

static void *write_two(void *unused) {
  for (int i = 0; i < 2; i++)
    numbers[i] = 3;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, write_two, 0);
  int now = sum(numbers, 3);
  pthread_join(t, 0);
  printf("%d %d\n", now, sum(numbers, 3));
}
