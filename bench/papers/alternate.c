/* alternate(N), paper 3: two threads, each N times x = v; v = x.
 *
 * 4, 34, 328, 3334 traces for N = 1 .. 4, and 3, 19, 141, 1107, 8953, 73789, 616227
 * ways to observe for N = 1 .. 7. */
#include "common.h"

#ifndef N
#define N 2
#endif

static atomic_int x;

static void *alternate(void *argument) {
  int v = (int)(long)argument;
  for (int i = 0; i < N; i++) {
    store(x, v);
    v = load(x);
  }
  return 0;
}

int main(void) {
  pthread_t threads[2];
  start(threads, 2, alternate, 1);
  join(threads, 2);
}
