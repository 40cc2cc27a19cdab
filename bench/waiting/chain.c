// Thread i waits until x is i, and makes it i + 1: 1 execution.
#include "common.h"

#ifndef N
#define N 7
#endif
static atomic_int x;

static void *link_of(void *number) {
  int i = (int)(long)number;
  while (x != i)
    ;
  x = i + 1;
  return 0;
}

int main(void) {
  run_threads(N, link_of);
  assert(x == N);
}
