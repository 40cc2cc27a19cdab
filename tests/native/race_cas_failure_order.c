// A compare-and-swap that fails has the order of failure: relaxed, it acquires
// nothing.
// expect error race
// options --races=error
// real no: data races
#include <pthread.h>
#include <stdatomic.h>

static int x;
static atomic_int published;

static void *put(void *unused) {
  x = 1; // expect race with line 20
  atomic_store_explicit(&published, 1, memory_order_release);
  return unused;
}

static int take(int expected) {
  if (!atomic_compare_exchange_strong_explicit(&published, &expected, 5, memory_order_acq_rel, memory_order_relaxed))
    return x;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, put, 0);
  take(0);
  pthread_join(t, 0);
}
