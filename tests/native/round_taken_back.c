// A lock by additions that are taken back where they come too late.  A round that takes its
// addition back is in vain, since all that other threads do with the place is to try the
// same, and to leave.  The order of the owners is all that differs: 3!.
// expect optimal: executions 6, blocked 0
// expect source: executions 6, blocked 0
// algorithms dpor source optimal unfold
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { THREADS = 3 };
static atomic_int owners;
static int inside;

static void *section(void *unused) {
  while (atomic_fetch_add(&owners, 1) != 0) {
    atomic_fetch_sub(&owners, 1);
    sched_yield();
  }
  assert(!inside++);
  inside--;
  atomic_fetch_sub(&owners, 1);
  return unused;
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, section, NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
  return 0;
}
