// Locks that wait longer after each attempt.  How long says nothing about the state:
// the rounds are in vain, and each thread takes the lock in one step: 3!.
// expect optimal: executions 6, blocked 0
// expect source: executions 6, blocked 0
// algorithms dpor source optimal
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int lock;
static int inside;

static void *doubles(void *unused) {
  int delay = 1;
  while (atomic_load(&lock) || atomic_exchange(&lock, 1)) {
    for (int i = 0; i < delay; i++)
      sched_yield();
    if (delay < 1024)
      delay *= 2;
  }
  assert(!inside++);
  inside--;
  atomic_store(&lock, 0);
  return unused;
}

static void *sleeps(void *unused) {
  unsigned delay = 1;
  for (int zero = 0; !atomic_compare_exchange_strong(&lock, &zero, 1);
       zero = 0) {
    usleep(delay);
    delay = delay > 1000 ? 1000 : delay + delay / 2 + 1;
  }
  assert(!inside++);
  inside--;
  atomic_store(&lock, 0);
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, doubles, 0);
  pthread_create(&t[1], 0, sleeps, 0);
  doubles(0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
}
