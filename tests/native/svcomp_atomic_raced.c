// A block that is a function stands where its body begins.
// expect optimal: executions 2
#include <pthread.h>

static int shared;

void __VERIFIER_atomic_set(int *to) {
  *to = 1; // expect race with line 19
}

static void *set(void *unused) {
  __VERIFIER_atomic_set(&shared);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set, 0);
  shared = 2;
  pthread_join(thread, 0);
}
