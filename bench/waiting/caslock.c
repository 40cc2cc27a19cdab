// A lock taken by compare-and-swap, N threads: the sections are ordered, N!.
#include "common.h"

#ifndef N
#define N 5
#endif
static atomic_int lock;
static int count;

static void *section(void *unused) {
  int is_free;
  do
    is_free = 0;
  while (!atomic_compare_exchange_strong(&lock, &is_free, 1));
  count++;
  lock = 0;
  return unused;
}

int main(void) {
  run_threads(N, section);
  assert(count == N);
}
