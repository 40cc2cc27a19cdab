// A signal comes before a thread waits for it.  Main waits for that thread, for
// ever, beside one that goes on.
// expect error deadlock
// algorithms stateful
// real no: it may never end
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int tick;

static void *serve(void *unused) {
  for (;;)
    tick = !tick;
  return unused;
}

static void *work(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t server, worker;
  pthread_create(&server, NULL, serve, NULL);
  pthread_create(&worker, NULL, work, NULL);
  pthread_mutex_lock(&mutex);
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  pthread_join(worker, NULL);
}
