// Two readers and no writer: no order of theirs can be told from another, 1
// (theory).  The lock is initialised before and destroyed behind them.
// expect optimal: executions 1, blocked 0
// expect source: executions 1, blocked 0
// expect unfold: executions 1, blocked 0
// expect dc: executions 1, blocked 0
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock;
static int value;

static void *reader(void *unused) {
  assert(!pthread_rwlock_rdlock(&lock));
  assert(!pthread_rwlock_tryrdlock(&lock));
  assert(value == 1);
  assert(!pthread_rwlock_unlock(&lock));
  assert(!pthread_rwlock_unlock(&lock));
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_rwlock_init(&lock, 0);
  value = 1;
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, reader, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  assert(!pthread_rwlock_destroy(&lock));
}
