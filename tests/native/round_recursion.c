// Threads that wait by calling the same function again: it becomes a loop whatever the
// compiler would make of it, and its rounds are in vain.  What differs is the order of the
// owners, and that of the additions to what main looks at: 2 * 2.
// real no: without optimisation real threads may run out of stack while they wait
// expect optimal: executions 4, blocked 0
// expect source: executions 4, blocked 0
// algorithms dpor source optimal
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int taken, done;
static int inside;

static void lock(atomic_int *place) {
  int zero = 0;
  if (!atomic_compare_exchange_strong(place, &zero, 1)) {
    sched_yield();
    lock(place);
  }
}

static int wait_until(atomic_int *place, int least) {
  int value = atomic_load(place);
  return value < least ? wait_until(place, least) : value;
}

static void *section(void *unused) {
  lock(&taken);
  assert(!inside++);
  inside--;
  atomic_store(&taken, 0);
  atomic_fetch_add(&done, 1);
  return unused;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, section, 0);
  assert(wait_until(&done, 2) == 2);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
}
