// Recursive locks for reading are safe by default, and with
// PTHREAD_RWLOCK_PREFER_WRITER_NP, which glibc treats alike.
// expect safe
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock;

static void *writer(void *unused) {
  (void)unused;
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_unlock(&lock);
  return 0;
}

static void try(int kind) {
  pthread_t thread;
  pthread_rwlockattr_t how;
  pthread_rwlockattr_init(&how);
  assert(pthread_rwlockattr_setkind_np(&how, kind) == 0);
  pthread_rwlock_init(&lock, &how);
  pthread_create(&thread, 0, writer, 0);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_join(thread, 0);
  pthread_rwlock_destroy(&lock);
}

int main(void) {
  try(PTHREAD_RWLOCK_PREFER_READER_NP);
  try(PTHREAD_RWLOCK_PREFER_WRITER_NP);
}
