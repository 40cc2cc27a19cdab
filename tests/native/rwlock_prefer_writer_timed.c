// A writer that waits for some time keeps readers out as long as it waits.
// expect output "busy, gave up\n"
// expect output "free, gave up\n"
// expect output "free, written\n"
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock =
    PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static int result;

static void *writer(void *unused) {
  (void)unused;
  struct timespec soon = {0, 0};
  result = pthread_rwlock_timedwrlock(&lock, &soon);
  assert(result == 0 || result == ETIMEDOUT);
  if (!result)
    pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_rwlock_rdlock(&lock);
  pthread_create(&thread, 0, writer, 0);
  int busy = pthread_rwlock_tryrdlock(&lock) == EBUSY;
  if (!busy) {
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
  }
  pthread_join(thread, 0);
  printf("%s, %s\n", busy ? "busy" : "free", result ? "gave up" : "written");
}
