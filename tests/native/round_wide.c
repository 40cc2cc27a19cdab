// Looks at sixteen bytes: thread i waits until the pair is (i, -i), and makes it
// (i + 1, -i - 1).  There is one order.
// expect optimal: executions 1, blocked 0
// expect source: executions 1, blocked 0
// algorithms dpor source optimal
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 3 };
static _Atomic(__int128) pair;

static __int128 of(long n) {
  return (__int128)n << 64 | (unsigned long)-n;
}

static void *pass(void *number) {
  long i = (long)number;
  while (atomic_load(&pair) != of(i))
    ;
  atomic_store(&pair, of(i + 1));
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  for (long i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, pass, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
  return 0;
}
