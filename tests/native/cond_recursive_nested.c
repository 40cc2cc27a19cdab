// A signal without the mutex wakes a thread that waits holding a recursive
// mutex once more: it goes on at once, and holds the mutex as often as before.
// Where the signal comes first, the wait times out.
// expect output "timed out\n"
// expect output "woken\n"
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *signaller(void *unused) {
  (void)unused;
  pthread_cond_signal(&changed);
  return 0;
}

int main(void) {
  pthread_t t;
  struct timespec soon = {0, 0};
  assert(pthread_cond_timedwait(&changed, &mutex, &soon) == EPERM);
  pthread_create(&t, 0, signaller, 0);
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  int code = pthread_cond_timedwait(&changed, &mutex, &soon);
  assert(code == 0 || code == ETIMEDOUT);
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_mutex_unlock(&mutex) == EPERM);
  pthread_join(t, 0);
  puts(code ? "timed out" : "woken");
}
