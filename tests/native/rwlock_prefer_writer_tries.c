// While a writer waits for a lock that prefers writers, attempts to read fail,
// and when the reader has left the writer is next: "1 0" (the second attempt
// succeeds, and no other reader was in between) cannot be.
// expect output "0 0\n"
// expect output "0 1\n"
// expect output "1 1\n"
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock =
    PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static int written;

static void *writer(void *unused) {
  (void)unused;
  pthread_rwlock_wrlock(&lock);
  written = 1;
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  int refused, seen = 0;
  pthread_rwlock_rdlock(&lock);
  pthread_create(&thread, 0, writer, 0);
  refused = pthread_rwlock_tryrdlock(&lock) == EBUSY;
  if (!refused)
    pthread_rwlock_unlock(&lock);
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_rdlock(&lock);
  seen = written;
  pthread_rwlock_unlock(&lock);
  pthread_join(thread, 0);
  printf("%d %d\n", refused, seen);
}
