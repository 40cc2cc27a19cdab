// A thread looks under a lock for ever.  Such a cycle writes, to the lock: once
// it was taken for the work of a server.
// expect error livelock
// expect message T1 wait_for_ready waits in a loop for a change of ready
// algorithms naive source optimal observers unfold stateful
// real no: it never ends
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void *wait_for_ready(void *unused) {
  int now;
  do {
    pthread_mutex_lock(&m);
    now = ready;
    pthread_mutex_unlock(&m);
  } while (!now);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, wait_for_ready, 0);
  pthread_join(t, 0);
}
