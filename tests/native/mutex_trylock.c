// The trylock comes before, within or after the other thread's section: 3.
// expect optimal: executions 3, blocked 0
// expect output "got it\n"
// expect output "did not\n"
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *holder(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, holder, 0);
  int result = pthread_mutex_trylock(&mutex);
  assert(result == 0 || result == EBUSY);
  if (result == 0)
    pthread_mutex_unlock(&mutex);
  pthread_join(t, 0);
  puts(result == 0 ? "got it" : "did not");
}
