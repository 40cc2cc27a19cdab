// A loop looks under a mutex: a round in vain is left out, lock and all.
// expect safe
// expect optimal: executions 1, blocked 0
// algorithms naive dpor source optimal
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *worker(void *unused) {
  pthread_mutex_lock(&m);
  done = 1;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  int seen;
  pthread_create(&t, 0, worker, 0);
  do {
    pthread_mutex_lock(&m);
    seen = done;
    pthread_mutex_unlock(&m);
  } while (!seen);
  pthread_join(t, 0);
}
