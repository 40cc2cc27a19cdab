// Two threads, two rounds: either may be the serial thread of the first one,
// and no thread asks for that of the second: 2.
// expect optimal: executions 2, blocked 0
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int before[2], chosen[2][2];

static void meet(int me, int round) {
  before[me] = round + 1;
  int result = pthread_barrier_wait(&barrier);
  assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
  chosen[round][me] = result != 0;
  assert(before[1 - me] >= round + 1);
  pthread_barrier_wait(&barrier);
}

static void *other(void *unused) {
  (void)unused;
  meet(1, 0);
  return 0;
}

int main(void) {
  pthread_t t;
  assert(pthread_barrier_init(&barrier, 0, 0) != 0);
  assert(pthread_barrier_init(&barrier, 0, 2) == 0);
  pthread_create(&t, 0, other, 0);
  meet(0, 0);
  pthread_join(t, 0);
  assert(chosen[0][0] + chosen[0][1] == 1);
  assert(pthread_barrier_destroy(&barrier) == 0);
}
