// Polling under a mutex goes on for ever if no other thread moves: the first
// execution comes to the limit, a later one to the error, which is confirmed
// whatever the limit.
// expect error assertion
// options --max-steps=300
// algorithms optimal
// real no: the search is never complete
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void *produce(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t t;
  int seen;
  pthread_create(&t, 0, produce, 0);
  do {
    pthread_mutex_lock(&mutex);
    seen = ready;
    pthread_mutex_unlock(&mutex);
  } while (!seen);
  pthread_join(t, 0);
  assert(ready == 2);
}
