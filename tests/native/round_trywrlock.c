// A loop tries to lock for writing what another thread locks for reading.  The number
// of readers is not in the first bytes of the lock.
// Counts: distinct traces of naive.
// expect optimal: executions 2, blocked 0
// expect error livelock
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *reads(void *unused) {
  pthread_rwlock_rdlock(&lock);
  return unused;
}

static void *tries(void *unused) {
  while (pthread_rwlock_trywrlock(&lock))
    ;
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread[2];
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_create(&thread[0], NULL, reads, NULL);
  pthread_create(&thread[1], NULL, tries, NULL);
  pthread_join(thread[0], NULL);
  pthread_join(thread[1], NULL);
}
