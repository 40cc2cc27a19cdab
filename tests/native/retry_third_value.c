// A place that is exchanged after it was read as 0 may be 2 by then.  No thread
// writes 2 once the exchange has been: that shows in another execution only.
// expect output "read 0, got 0\n"
// expect output "read 0, got 2\n"
// expect output "read 2, got 2\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;

static void *set(void *unused) {
  int zero = 0;
  atomic_compare_exchange_strong(&x, &zero, 2);
  return unused;
}

int main(void) {
  pthread_t t;
  int seen, got;
  pthread_create(&t, 0, set, 0);
  do
    while ((seen = x) == 1)
      ;
  while ((got = atomic_exchange(&x, 1)) == 1);
  pthread_join(t, 0);
  printf("read %d, got %d\n", seen, got);
}
