// Two readers and a writer.  All operations on the lock are ordered, so the
// count is that of the orders of l1 u1 l2 u2 (6), each with the writer's section
// put where no reader is inside: 3 places in the 2 orders without overlap, 2 in the
// other 4: 14.
// expect optimal: executions 14, blocked 0
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int a, b;

static void *reader(void *unused) {
  (void)unused;
  pthread_rwlock_rdlock(&lock);
  assert(a == b);
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, reader, 0);
  pthread_rwlock_wrlock(&lock);
  a = 1;
  b = 1;
  pthread_rwlock_unlock(&lock);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
}
