// The lock is destroyed while a reader may hold it, though there is no writer.
// expect error misuse
// expect message destruction of a read-write lock that is held
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *reader(void *unused) {
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reader, 0);
  pthread_rwlock_destroy(&lock); // expect misuse here
  pthread_join(t, 0);
}
