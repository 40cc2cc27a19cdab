// A trylock notices that the lock is held, so no rounds are left out: only
// stateful can tell that both threads look for ever.  The others once told a
// deadlock that was found while the search was about to begin anew.
// expect error livelock
// expect message T2 look waits in a loop for a change of ready
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

static void *look(void *unused) {
  int now = 0;
  do {
    if (pthread_mutex_trylock(&m) == 0) {
      now = ready;
      pthread_mutex_unlock(&m);
    }
  } while (!now);
  return unused;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, wait_for_ready, 0);
  pthread_create(&u, 0, look, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
