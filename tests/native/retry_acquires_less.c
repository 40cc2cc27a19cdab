// The first read acquires, and what stands for it after a swap that failed does not: the
// read and the swap are two steps.  In one of the executions the thread knows that the
// data is there only from a swap that failed, and nothing orders its read of the data.
// options --races=error
// expect error race
// algorithms dpor source optimal unfold observers dc
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, kept;
static int data, got;

static void *put(void *unused) {
  data = 1; // expect race with line 27
  atomic_store_explicit(&x, 1, memory_order_release);
  return unused;
}

static void *get(void *unused) {
  int old = atomic_load_explicit(&x, memory_order_acquire);
  while (!atomic_compare_exchange_strong_explicit(
      &x, &old, old + 2, memory_order_relaxed, memory_order_relaxed))
    ;
  /* The value goes through memory: used at once it would keep them apart. */
  atomic_store_explicit(&kept, old, memory_order_relaxed);
  if (atomic_load_explicit(&kept, memory_order_relaxed) == 1)
    got = data;
  return unused;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, put, 0);
  pthread_create(&u, 0, get, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
