// N threads add to a counter and do not use the result: 1 execution.
#include "common.h"

#ifndef N
#define N 9
#endif
static atomic_int counter;

static void *add(void *unused) {
  atomic_fetch_add(&counter, 1);
  return unused;
}

int main(void) {
  run_threads(N, add);
  assert(counter == N);
}
