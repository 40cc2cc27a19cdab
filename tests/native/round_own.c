// A loop that keeps what it saw in memory that no other thread uses.  A round
// after which that is as it was before is in vain.  The loop may see either of
// two values, or come too late for both: one execution each.
// expect output "1\n"
// expect output "2\n"
// expect error livelock
// expect optimal: executions 3, blocked 0
// algorithms dpor source optimal
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int value;
static int seen, rounds;

static void *writer(void *unused) {
  value = 1;
  value = 2;
  value = 0;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  do {
    rounds = 1;
    seen = value;
    rounds = 0;
  } while (!seen);
  pthread_join(t, 0);
  printf("%d\n", seen + rounds);
}
