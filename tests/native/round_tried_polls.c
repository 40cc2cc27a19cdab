// No rounds under the lock are left out, since a trylock notices them.  That is
// found out at the end of an execution, whose deadlock does not exist.
// expect incomplete
// options --loop-bound=2
// algorithms source optimal
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
