// A thread looks under a lock for ever. The others tell a livelock; a search by
// states knows no end of a schedule that shows it, and must not say SAFE.
// expect incomplete
// algorithms stateful
// modes undo
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
