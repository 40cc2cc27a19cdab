// A test-and-test-and-set lock, N threads.  The sections are ordered, N!; if the read
// that finds the lock free is a step apart from the compare-and-swap behind it, the
// thread may have seen it free after any of the sections before: (N!)^2.  With
// -DEXCHANGE the lock is taken by an exchange.
#include "common.h"

#ifndef N
#define N 4
#endif
static atomic_int lock;
static int count;

static int take(void) {
#ifdef EXCHANGE
  return !atomic_exchange(&lock, 1);
#else
  int is_free = 0;
  return atomic_compare_exchange_strong(&lock, &is_free, 1);
#endif
}

static void *section(void *unused) {
  do
    while (lock)
      ;
  while (!take());
  count++;
  lock = 0;
  return unused;
}

int main(void) {
  run_threads(N, section);
  assert(count == N);
}
