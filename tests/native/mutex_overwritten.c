// Another thread overwrites a mutex while it is held.
// expect error misuse
// expect message unlock of a mutex that is not locked
// expect optimal: executions 4, blocked 0
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *reset(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  memset(&mutex, 0, sizeof mutex);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reset, 0);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex); // expect misuse here
  pthread_join(t, 0);
}
