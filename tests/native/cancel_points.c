// A thread is cancelled while it waits for a condition, with the mutex locked
// again for its cleanup handler; in sem_wait(), in a read of a pipe and at
// pthread_testcancel().
// expect safe
// algorithms naive source optimal observers cs optimal-cs optimal-cs-ob unfold stateful
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int cleaned;

static void clean(void *mutex) {
  cleaned++;
  pthread_mutex_unlock(mutex);
}

static void *waits(void *unused) {
  pthread_mutex_lock(&m);
  pthread_cleanup_push(clean, &m);
  for (;;)
    pthread_cond_wait(&c, &m);
  pthread_cleanup_pop(0);
  return unused;
}

int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, NULL, waits, NULL);
  assert(pthread_cancel(t) == 0);
  pthread_join(t, &result);
  assert(result == PTHREAD_CANCELED && cleaned == 1);
  assert(pthread_mutex_trylock(&m) == 0);
}
