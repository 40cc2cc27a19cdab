// A loop that sleeps and takes a lock by exchange waits, although the exchange
// leaves another time each round.
// expect safe
// algorithms source optimal observers cs optimal-cs optimal-cs-ob unfold dc
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int lock;
static time_t latest;

static void *enter(void *unused) {
  (void)unused;
  while (atomic_exchange(&lock, 1))
    usleep(1000);
  time_t now = time(0);
  assert(now >= latest);
  sleep(10);
  latest = time(0);
  atomic_store(&lock, 0);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, enter, 0);
  enter(0);
  pthread_join(thread, 0);
}
