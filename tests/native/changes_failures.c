// The reader fails in two of its three places among the stores, for two reasons:
// states in which the same thread failed are not the same if it failed
// otherwise.  A load and two stores in order: 3 traces (theory).
// expect error assertion
// expect message saw one
// expect message saw two
// expect optimal: executions 3, blocked 0
// expect source: executions 3
// options --verify
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *read(void *unused) {
  int seen = x;
  assert(seen != 1 && "saw one");
  assert(seen != 2 && "saw two");
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, read, 0);
  x = 1;
  x = 2;
}
