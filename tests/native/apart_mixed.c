// --interfere=locks: an atomic store is a step, a plain read of the same bytes
// is not.  After the joins it is ordered, and both values are seen.
// expect optimal: executions 2, blocked 0
// expect output "1\n"
// expect output "2\n"
// options --interfere=locks
// algorithms naive source optimal cs optimal-cs
#include <pthread.h>
#include <stdio.h>

static int x;

static void *run(void *argument) {
  __atomic_store_n(&x, (int)(long)argument, __ATOMIC_RELAXED);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, (void *)1L);
  pthread_create(&b, 0, run, (void *)2L);
  pthread_join(a, 0);
  pthread_join(b, 0);
  printf("%d\n", x);
}
