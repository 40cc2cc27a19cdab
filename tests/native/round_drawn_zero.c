// The limit of a random delay becomes 0 in the third round: dividing by it fails,
// although it says only how long the thread waits.
// expect error crash
// algorithms dpor source optimal
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int ready;

static void *sets(void *unused) {
  atomic_store(&ready, 1);
  return unused;
}

int main(void) {
  pthread_t t;
  unsigned seed = 1, limit = 2;
  pthread_create(&t, 0, sets, 0);
  while (!atomic_load(&ready)) {
    usleep((unsigned)rand_r(&seed) % limit);
    limit--;
  }
  pthread_join(t, 0);
}
