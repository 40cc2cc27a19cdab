// A test-and-test-and-set lock, N threads.  The sections are ordered, N!; if the read
// that finds the lock free is a step apart from the compare-and-swap behind it, the
// thread may have seen it free after any of the sections before: (N!)^2.
#include "common.h"

#ifndef N
#define N 4
#endif
static atomic_int lock;
static int count;

static void *section(void *unused) {
  int is_free;
  do {
    while (lock)
      ;
    is_free = 0;
  } while (!atomic_compare_exchange_strong(&lock, &is_free, 1));
  count++;
  lock = 0;
  return unused;
}

int main(void) {
  run_threads(N, section);
  assert(count == N);
}
