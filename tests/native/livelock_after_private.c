// A loop that waits after accesses that are no steps of their own where threads
// are interleaved, and are steps where the error is shown: it is found both
// ways.
// expect error livelock
// expect message waits in a loop for a change of flag
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int config[2];

static void *worker(void *unused) {
  (void)unused;
  if (config[0] || config[1])
    return 0;
  while (!atomic_load(&flag)) {
  }
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
}
