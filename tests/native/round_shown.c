// Loops that change variables of their thread in memory: a volatile counter between two
// looks, an array.  Rounds in vain are left out.  The lock: 3! orders of its owners.  The
// reader's last round reads `first` before or after it is written: 2.
// expect optimal: executions 12, blocked 0
// expect source: executions 12, blocked 0
// algorithms dpor source optimal
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock, first, ready;
static int inside;

static void *locks(void *unused) {
  while (atomic_exchange(&lock, 1))
    for (volatile int i = 0; i < 50; i++)
      ;
  assert(!inside++);
  inside--;
  atomic_store(&lock, 0);
  return unused;
}

static void *reads(void *unused) {
  int seen[2];
  do {
    seen[0] = first;
    seen[1] = ready;
  } while (!seen[1]);
  assert(seen[0] <= 1);
  return unused;
}

int main(void) {
  pthread_t t[4];
  pthread_create(&t[3], NULL, reads, NULL);
  first = 1;
  ready = 1;
  pthread_join(t[3], NULL);
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], NULL, locks, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
  return 0;
}
