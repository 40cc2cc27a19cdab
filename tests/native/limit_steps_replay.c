// The longest execution has just as many steps as are allowed.  Where the error
// is shown it has more, finer ones.
// expect error assertion
// options --races=off --max-steps=8
// algorithms source optimal
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *run(void *unused) {
  (void)unused;
  atomic_store(&x, 1);
  atomic_store(&x, 2);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  atomic_store(&x, 3);
  atomic_store(&x, 4);
  pthread_join(t, 0);
  assert(atomic_load(&x) == 5);
}
