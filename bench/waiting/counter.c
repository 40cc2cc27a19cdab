// N threads add to a counter by a loop of read and compare-and-swap: the swaps that
// succeed are ordered, N!.
#include "common.h"

#ifndef N
#define N 5
#endif
static atomic_int counter;

static void *add(void *unused) {
  int seen;
  do
    seen = counter;
  while (!atomic_compare_exchange_strong(&counter, &seen, seen + 1));
  return unused;
}

int main(void) {
  run_threads(N, add);
  assert(counter == N);
}
