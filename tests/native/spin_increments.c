// Two critical sections in either order, and a trylock that comes before,
// between, within or after them.  The orders of the sections A and B: 2.  In
// each the trylock (followed by an unlock where it succeeds) has 3 places
// outside of the sections and 2 inside: 2 * 5.
// expect optimal: executions 10, blocked 0
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int x;

static void *increment(void *unused) {
  (void)unused;
  pthread_spin_lock(&lock);
  x++;
  pthread_spin_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t[2];
  assert(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, increment, 0);
  int result = pthread_spin_trylock(&lock);
  assert(result == 0 || result == EBUSY);
  if (result == 0)
    pthread_spin_unlock(&lock);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  assert(x == 2);
  assert(pthread_spin_destroy(&lock) == 0);
}
