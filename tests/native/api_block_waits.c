// In one order of the threads the block would have to wait, which is refused:
// also where an algorithm takes steps only to learn what they touch.
// expect refused a blocking operation inside
#include <heddle.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *locks(void *unused) {
  pthread_mutex_lock(&mutex);
  x = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, locks, 0);
  heddle_atomic_begin();
  if (x) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  heddle_atomic_end();
  pthread_join(t, 0);
}
