// errno is the thread's own.
// expect all: executions 1
// expect optimal: executions 1, blocked 0
// algorithms optimal source
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static void *work(void *unused) {
  (void)unused;
  errno = 0;
  strtol("99999999999999999999", 0, 10);
  assert(errno == ERANGE);
  return 0;
}

int main(void) {
  pthread_t thread;
  errno = EINTR;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  assert(errno == EINTR);
}
