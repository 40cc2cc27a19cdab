// Main waits for a lock that a thread has which goes on for ever.
// expect error deadlock
// algorithms stateful
// real no: it may never end
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int tick;

static void *serve(void *unused) {
  pthread_mutex_lock(&mutex);
  for (;;)
    tick = !tick;
  return unused;
}

int main(void) {
  pthread_t server;
  pthread_create(&server, NULL, serve, NULL);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}
