// A producer that never ends, with --interfere=locks.
// options --loop-bound=2 --interfere=locks
// algorithms naive source optimal cs optimal-cs unfold
// expect error assertion
// real no: the search is never complete
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int items;

static void *produce(void *unused) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    items++;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, produce, 0);
  pthread_mutex_lock(&mutex);
  assert(items != 2); // expect assertion here
  pthread_mutex_unlock(&mutex);
}
