// A thread that loops does not starve one that has not run yet: the first
// execution has both.
// options --loop-bound=1000000 --max-executions=1
// algorithms optimal source observers unfold
// expect error assertion
// real no: the search is never complete
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *set(void *unused) {
  x = 3;
  return unused;
}

int main(void) {
  pthread_t thread;
  int count = 0;
  pthread_create(&thread, 0, set, 0);
  while (x < 3)
    count++;
  assert(!count); // expect assertion here
}
