// A normal mutex is unlocked by a thread that did not lock it.
// expect error misuse
// expect message unlock of a mutex that main holds
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *unlocks(void *unused) {
  (void)unused;
  pthread_mutex_unlock(&mutex); // expect misuse here
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&mutex);
  pthread_create(&t, 0, unlocks, 0);
  pthread_join(t, 0);
}
