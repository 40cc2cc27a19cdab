// A reference count: the last one to let go is told so by the result, which orders
// the decrements: 3! = 6.  The additions to `taken` commute.
// expect optimal: executions 6, blocked 0
// expect unfold: executions 6, blocked 0
// expect observers: executions 6, blocked 0
// algorithms optimal source unfold observers cs
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count = 3, taken;
static int ended;

static void let_go(void) {
  if (atomic_fetch_sub(&count, 1) == 1)
    ended++;
}

static void *use(void *unused) {
  taken++;
  let_go();
  return unused;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, use, 0);
  let_go();
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  assert(ended == 1 && taken == 2);
}
