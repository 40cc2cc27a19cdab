// A loop that counts to a number in memory has an end: its rounds hardly count.
// options --loop-bound=2
// expect optimal: executions 1, blocked 0
#include <pthread.h>

static pthread_mutex_t locks[100];
static unsigned count = 100;

static void *wait(void *unused) {
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, wait, 0);
  for (unsigned i = 0; i < count; i++)
    pthread_mutex_init(&locks[i], 0);
  pthread_join(t, 0);
}
