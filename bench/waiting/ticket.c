// A ticket lock, N threads: the sections are ordered, N!.
#include "common.h"

#ifndef N
#define N 5
#endif
static atomic_int next, serving;
static int count;

static void *section(void *unused) {
  int ticket = atomic_fetch_add(&next, 1);
  while (serving != ticket)
    ;
  count++;
  serving = ticket + 1;
  return unused;
}

int main(void) {
  run_threads(N, section);
  assert(count == N);
}
