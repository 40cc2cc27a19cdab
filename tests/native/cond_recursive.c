// A wait releases a recursive mutex completely and takes it back as often as
// it was held.
// expect optimal: executions 2, blocked 0
// real no: glibc's wait releases the mutex only once
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *signaller(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, signaller, 0);
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  while (!ready)
    pthread_cond_wait(&changed, &mutex);
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_mutex_unlock(&mutex) == EPERM);
  pthread_join(t, 0);
}
