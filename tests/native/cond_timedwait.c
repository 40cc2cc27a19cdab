// The signal comes before the wait (lost), during it, or after the time is up:
// 3 executions, two results.
// expect optimal: executions 3, blocked 0
// expect output "signalled\n"
// expect output "timed out\n"
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *signaller(void *unused) {
  (void)unused;
  pthread_cond_signal(&changed);
  return 0;
}

int main(void) {
  pthread_t t;
  struct timespec soon = {1, 0};
  pthread_create(&t, 0, signaller, 0);
  pthread_mutex_lock(&mutex);
  int result = pthread_cond_timedwait(&changed, &mutex, &soon);
  assert(result == 0 || result == ETIMEDOUT);
  pthread_mutex_unlock(&mutex);
  pthread_join(t, 0);
  puts(result == 0 ? "signalled" : "timed out");
}
