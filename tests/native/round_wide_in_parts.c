// A lock of sixteen bytes, the second half of which is read by another thread: a look at the whole
// has races with that, too, and is an ordinary step.
// expect output "0\n"
// expect output "1\n"
// algorithms naive dpor source optimal unfold
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static union {
  _Atomic(__int128) whole;
  _Atomic(long) half[2];
} lock;

static long seen;

static void *take(void *unused) {
  __int128 zero = 0, taken = (__int128)1 << 64;
  while (!atomic_compare_exchange_strong(&lock.whole, &zero, taken))
    zero = 0;
  return unused;
}

static void *look(void *unused) {
  seen = atomic_load(&lock.half[1]);
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, take, NULL);
  pthread_create(&t[1], NULL, look, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  printf("%ld\n", seen);
  return 0;
}
