// The mutex of "Futexes Are Tricky" (Drepper), second version: two threads add to a
// counter under it.  No update is lost, no data race, no thread waits for ever.
// expect output "2\n"
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int state; /* 0: free, 1: locked, 2: locked, and others wait */
static int counter;

static void lock(void) {
  int was = 0;
  if (atomic_compare_exchange_strong(&state, &was, 1))
    return;
  if (was != 2)
    was = atomic_exchange(&state, 2);
  while (was) {
    syscall(SYS_futex, &state, FUTEX_WAIT, 2, NULL, NULL, 0);
    was = atomic_exchange(&state, 2);
  }
}

static void unlock(void) {
  if (atomic_fetch_sub(&state, 1) != 1) {
    state = 0;
    syscall(SYS_futex, &state, FUTEX_WAKE, 1, NULL, NULL, 0);
  }
}

static void *add(void *unused) {
  lock();
  counter++;
  unlock();
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, add, NULL);
  add(NULL);
  pthread_join(t, NULL);
  printf("%d\n", counter);
}
