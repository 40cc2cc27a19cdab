// Atomic minimum and maximum, whatever the compiler calls them.
// expect output "0 9\n"
// expect output "0 5\n"
// expect output "5 9\n"
// expect output "5 5\n"
// expect optimal: executions 4, blocked 0
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int high;
static int low = 9;

#ifdef __clang__
#define MAX(x, v) __c11_atomic_fetch_max(&x, v, __ATOMIC_SEQ_CST)
#define MIN(x, v) __sync_fetch_and_min(&x, v)
#else
#define MAX(x, v) atomic_store(&x, v)
#define MIN(x, v) __atomic_store_n(&x, v, 5)
#endif

static void *limit(void *unused) {
  MAX(high, 5);
  return unused;
}

static void *lower(void *unused) {
  MIN(low, 5);
  return unused;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, limit, 0);
  pthread_create(&u, 0, lower, 0);
  int h = atomic_load(&high);
  int l = __atomic_load_n(&low, __ATOMIC_SEQ_CST);
  pthread_join(t, 0);
  pthread_join(u, 0);
  printf("%d %d\n", h, l);
}
