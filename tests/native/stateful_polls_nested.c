// Both threads look under two locks.  A schedule that ends while one of them is
// inside does not show that the other one goes round.
// expect error livelock
// expect message T2 wait_for_ready waits in a loop for a change of ready
// algorithms stateful
// modes undo
// real no: it never ends
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void *wait_for_ready(void *unused) {
  int now;
  do {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    now = ready;
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
  } while (!now);
  return unused;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, wait_for_ready, 0);
  pthread_create(&u, 0, wait_for_ready, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
