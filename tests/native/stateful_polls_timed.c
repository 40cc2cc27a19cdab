// Two threads wait for a change that never comes, one with a timeout.
// expect error livelock
// expect message T2 wait waits in a loop
// algorithms stateful optimal
// real no: it never ends
#include <time.h>
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
  struct timespec soon = {1, 0};
  pthread_mutex_lock(&m);
  while (!ready)
    pthread_cond_timedwait(&changed, &m, &soon);
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
