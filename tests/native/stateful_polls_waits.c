// One thread looks under a lock for ever, another one waits on a condition
// variable under that lock.  The schedule must end where both do.
// expect error livelock
// expect message T2 wait waits on condition variable changed
// algorithms naive source optimal observers unfold stateful
// real no: it never ends
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
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

static void *wait(void *unused) {
  pthread_mutex_lock(&m);
  while (!ready)
    pthread_cond_wait(&changed, &m);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, wait_for_ready, 0);
  pthread_create(&u, 0, wait, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
