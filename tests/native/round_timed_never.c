// A loop around a timed wait that no thread ends.
// expect error livelock
// algorithms naive dpor source optimal observers cs optimal-cs optimal-cs-ob stateful
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *unused) {
  struct timespec soon = {1, 0};
  pthread_mutex_lock(&m);
  while (!ready)
    pthread_cond_timedwait(&c, &m, &soon);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waiter, 0);
  pthread_join(t, 0);
}
