// The same with a counter in memory that only main uses.  Not naive: there the
// writes are steps, so that no round is in vain.
// options --loop-bound=6
// expect error assertion
// algorithms source optimal observers cs optimal-cs optimal-cs-ob unfold dc
// real no: the search is never complete
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int count;

static void *set(void *unused) {
  x = 3;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set, 0);
  while (x < 3)
    count = (count + 1) % 7;
  assert(count != 5); // expect assertion here
}
