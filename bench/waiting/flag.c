// N threads wait for the last of W writes to a flag: 1 execution.
#include "common.h"

#ifndef N
#define N 6
#endif
#ifndef W
#define W 6
#endif
static atomic_int flag;
static int done;

static void *wait_or_write(void *number) {
  if ((long)number == N) {
    done = 1;
    for (int i = 1; i <= W; i++)
      flag = i;
  } else {
    while (flag != W)
      ;
    assert(done);
  }
  return 0;
}

int main(void) {
  run_threads(N + 1, wait_or_write);
}
