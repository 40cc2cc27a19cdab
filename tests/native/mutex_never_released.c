// A thread ends with a mutex that the other one still wants.  Main's section
// may come first: then all is well.
// expect error deadlock
// expect optimal: executions 2, blocked 0
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *keep(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, keep, 0);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_join(t, 0);
}
