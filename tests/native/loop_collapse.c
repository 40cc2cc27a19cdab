// Loops that count how often they failed, for statistics.  With --loops=collapse the
// counts are as small as they can be, the threads wait as if they did not count, and the
// result is incomplete.  A mutex of one's own: who of two comes first.
// options --loops=collapse
// expect incomplete
// expect optimal: executions 2, blocked 0
// algorithms dpor source optimal observers unfold
// expect output "2, failed 0\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int lock;
static int entered, failed;

static void *enter(void *unused) {
  int tries = 0, expected = 0;
  while (!atomic_compare_exchange_strong(&lock, &expected, 1)) {
    expected = 0;
    tries++;
  }
  entered++;
  failed += tries;
  lock = 0;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, enter, 0);
  enter(0);
  pthread_join(t, 0);
  printf("%d, failed %d\n", entered, failed);
}
