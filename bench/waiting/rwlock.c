// N readers of a read-write lock, no writer: 1 execution.
#include "common.h"

#ifndef N
#define N 6
#endif
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value = 1;

static void *read_value(void *unused) {
  pthread_rwlock_rdlock(&lock);
  assert(value == 1);
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  run_threads(N, read_value);
}
