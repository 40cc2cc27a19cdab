// A thread frees the mutex that it has just released.  To free is no operation
// on the mutex: whoever could have it after that could have it before, too.
// The lock of main comes before all, between unlock and free, where its unlock
// comes before or after the free, or after all.
// expect error memory
// expect all: executions 4
// algorithms source optimal observers cs optimal-cs unfold dc
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *mutex;

static void *use_and_free(void *unused) {
  (void)unused;
  pthread_mutex_lock(mutex);
  pthread_mutex_unlock(mutex);
  free(mutex);
  return 0;
}

int main(void) {
  mutex = malloc(sizeof *mutex);
  pthread_mutex_init(mutex, 0);
  pthread_t t;
  pthread_create(&t, 0, use_and_free, 0);
  pthread_mutex_lock(mutex);   // expect memory here
  pthread_mutex_unlock(mutex); // expect memory here
  pthread_join(t, 0);
}
