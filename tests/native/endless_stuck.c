// Two threads lock in two orders beside one that goes on for ever: no execution ends, but main
// waits for ever. A search that stores states cuts all executions.
// expect error deadlock
// algorithms optimal pop stateful
// real no: it may never end
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static atomic_int tick;

static void *serve(void *unused) {
  for (;;)
    tick = !tick;
  return unused;
}

static void *lock(void *order) {
  pthread_mutex_t *a = order ? &first : &second, *b = order ? &second : &first;
  pthread_mutex_lock(a);
  pthread_mutex_lock(b);
  pthread_mutex_unlock(b);
  pthread_mutex_unlock(a);
  return NULL;
}

int main(void) {
  pthread_t server, threads[2];
  pthread_create(&server, NULL, serve, NULL);
  pthread_create(&threads[0], NULL, lock, &first);
  pthread_create(&threads[1], NULL, lock, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
}
