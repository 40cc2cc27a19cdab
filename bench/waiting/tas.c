// A test-and-set lock, N threads: the sections are ordered, N!.
#include "common.h"

#ifndef N
#define N 5
#endif
static atomic_flag lock = ATOMIC_FLAG_INIT;
static int count;

static void *section(void *unused) {
  while (atomic_flag_test_and_set(&lock))
    ;
  count++;
  atomic_flag_clear(&lock);
  return unused;
}

int main(void) {
  run_threads(N, section);
  assert(count == N);
}
