// The lock that people write: an exchange, and while that fails an inner loop that only
// looks.  Whatever the inner loop finds, the exchange is tried again: it is in vain as
// long as the lock is taken, and the exchange itself waits.  Nothing is blocked, and the
// order of the owners is all that differs: 3! for each of two locks, one behind the
// other.
// expect optimal: executions 36, blocked 0
// algorithms dpor source optimal unfold
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { THREADS = 3 };
static atomic_int first;
static atomic_int second;
static int inside;

static void enter(void) {
  assert(!inside++);
  inside--;
}

static void *run(void *unused) {
  while (atomic_exchange(&first, 1))
    while (atomic_load(&first))
      sched_yield();
  enter();
  atomic_store(&first, 0);

  int free = 0;
  while (!atomic_compare_exchange_strong(&second, &free, 1)) {
    while (atomic_load(&second))
      ;
    free = 0;
  }
  atomic_store(&second, 0);
  return unused;
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, run, NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
  return 0;
}
