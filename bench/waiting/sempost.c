// N threads post a semaphore that no thread waits for: 1 execution.
#include <semaphore.h>

#include "common.h"

#ifndef N
#define N 7
#endif
static sem_t sem;

static void *post(void *unused) {
  assert(!sem_post(&sem));
  return unused;
}

int main(void) {
  sem_init(&sem, 0, 0);
  run_threads(N, post);
}
