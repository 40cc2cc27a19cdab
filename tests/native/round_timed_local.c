// A loop around a timed wait that no thread ends, with the deadline in a local
// variable: its end and what is written to it are steps of their own in a
// replay only, and for naive, which therefore goes round without end.
// expect error livelock
// expect message waits in a loop for a change of mutex, changed, ready
// algorithms dpor source optimal observers cs optimal-cs optimal-cs-ob
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void wait_soon(void) {
  struct timespec soon;
  soon.tv_sec = 1;
  soon.tv_nsec = 0;
  pthread_cond_timedwait(&changed, &mutex, &soon);
}

static void *worker(void *unused) {
  pthread_mutex_lock(&mutex);
  if (ready == 2)
    ready = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&mutex);
  while (!ready)
    wait_soon();
  pthread_mutex_unlock(&mutex);
  pthread_join(t, 0);
}
