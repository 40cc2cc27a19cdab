// How often a thread pauses decides the parity of a volatile variable, which is read where
// the ways come together: the delay matters.  The variable is 1 after the second failure.
// expect output "0\n"
// expect output "1\n"
// algorithms naive dpor source optimal
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int lock, odd;

static void *takes(void *unused) {
  unsigned delay = 1;
  volatile unsigned x = 0;
  while (atomic_exchange(&lock, 1)) {
    for (unsigned i = 0; i < delay; i++)
      x ^= 1;
    x ^= 1;
    if (x)
      odd = 1;
    if (delay < 3)
      delay++;
  }
  lock = 0;
  return unused;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, takes, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  printf("%d\n", odd);
  return 0;
}
