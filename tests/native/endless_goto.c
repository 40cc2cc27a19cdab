// A loop with two ways into it.
// options --loop-bound=2
// expect error assertion
// real no: the search is never complete
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *serve(void *late) {
  if (late)
    goto second;
first:
  x = 1;
second:
  x = 0;
  goto first;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, serve, 0);
  assert(x == 0); // expect assertion here
}
