// A relaxed store behind a release fence publishes.  p's and q's stores of x
// lead to the same state in either order, but the reader synchronises with p
// only if p's is the last: then the other order has a data race.
// expect error race
// options --races=error
// algorithms optimal source observers cs optimal-cs
#include <pthread.h>
#include <stdatomic.h>

static int data, seen;
static atomic_int x, y;

static void *q(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

static void *p(void *unused) {
  data = 1;
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return unused;
}

static void *reader(void *unused) {
  if (atomic_load_explicit(&y, memory_order_relaxed) == 1 &&
      atomic_load_explicit(&x, memory_order_acquire) == 1)
    seen = data;
  return unused;
}

int main(void) {
  pthread_t thread[3];
  pthread_create(&thread[0], 0, q, 0);
  pthread_create(&thread[1], 0, p, 0);
  pthread_create(&thread[2], 0, reader, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(thread[i], 0);
  return 0;
}
