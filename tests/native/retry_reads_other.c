// The swap that fails leads to another read, behind which the thread is not where it
// would be if it had read that at first: it tells that it has failed.  The read and the
// swap are two steps.
// expect output "0 0 2\n"
// expect output "0 1 2\n"
// expect output "1 0 2\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;
static int failed[2];

static void *add(void *number) {
  int old = x, expected, mine = 0;
  while (expected = old,
         !atomic_compare_exchange_strong(&x, &expected, old + 1)) {
    old = x;
    mine = 1;
  }
  failed[(long)number] = mine;
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], 0, add, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  printf("%d %d %d\n", failed[0], failed[1], x);
}
