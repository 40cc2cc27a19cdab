// N threads try to lock a mutex and leave it again.
#include "common.h"

#ifndef N
#define N 4
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *try(void *unused) {
  if (!pthread_mutex_trylock(&lock)) {
    assert(!inside++);
    inside--;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  run_threads(N, try);
}
