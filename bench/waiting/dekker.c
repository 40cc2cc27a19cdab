// Dekker's algorithm with spinning: two threads enter N times each.
#include "common.h"

#ifndef N
#define N 3
#endif
static atomic_int wants[2], turn;
static int count;

static void enter(int me) {
  wants[me] = 1;
  while (wants[!me])
    if (turn != me) {
      wants[me] = 0;
      while (turn != me)
        ;
      wants[me] = 1;
    }
}

static void *run(void *number) {
  int me = (int)(long)number;
  for (int i = 0; i < N; i++) {
    enter(me);
    count++;
    turn = !me;
    wants[me] = 0;
  }
  return 0;
}

int main(void) {
  run_threads(2, run);
  assert(count == 2 * N);
}
