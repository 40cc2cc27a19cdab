// Two threads store to a variable on the stack of main, which goes on
// meanwhile: whether a store comes before or after a step of main, it changes
// main's stack.  The two stores and main's load of the variable are pairwise
// dependent: 3! = 6 (theory).
// expect optimal: executions 6, blocked 0
// expect source: executions 6
// options --verify --races=off
#include <assert.h>
#include <pthread.h>

static void *store(void *argument) {
  *(volatile int *)argument = 1;
  return 0;
}

int main(void) {
  pthread_t a, b;
  volatile int local = 0;
  pthread_create(&a, 0, store, (void *)&local);
  pthread_create(&b, 0, store, (void *)&local);
  assert(local < 2);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(local == 1);
}
