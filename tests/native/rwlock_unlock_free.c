// A read-write lock that the thread does not hold is unlocked, although another thread reads.
// expect error misuse
// expect message unlock of a read-write lock that the thread does not hold
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *unlocks(void *unused) {
  (void)unused;
  pthread_rwlock_unlock(&lock); // expect misuse here
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_rwlock_rdlock(&lock);
  pthread_create(&t, 0, unlocks, 0);
  pthread_join(t, 0);
}
