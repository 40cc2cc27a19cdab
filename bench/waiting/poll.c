// Thread i waits until x is i, and makes it i + 1; it looks under a mutex: 1
// execution.
#include "common.h"

#ifndef N
#define N 7
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *link_of(void *number) {
  int i = (int)(long)number, now;
  do {
    pthread_mutex_lock(&m);
    now = x;
    pthread_mutex_unlock(&m);
  } while (now != i);
  pthread_mutex_lock(&m);
  x = i + 1;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  run_threads(N, link_of);
  assert(x == N);
}
