// A compare-and-swap that fails has the order of failure: it acquires what was
// released, although success would be relaxed.
// options --races=error
#include <pthread.h>
#include <stdatomic.h>

static int x;
static atomic_int published;

static void *put(void *unused) {
  x = 1;
  atomic_store_explicit(&published, 1, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t t;
  int expected = 0;
  pthread_create(&t, 0, put, 0);
  if (!atomic_compare_exchange_strong_explicit(&published, &expected, 0,
                                               memory_order_relaxed,
                                               memory_order_acquire))
    x++;
  pthread_join(t, 0);
}
