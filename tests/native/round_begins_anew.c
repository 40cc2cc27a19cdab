// A thread that is in a loop from its first step on, when the search begins
// anew: rounds of the search before are forgotten.
// Two threads, one lock: two orders.
// expect optimal: executions 2
// expect output "2\n"
// waits for several places
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int lock;
static int count;

static void *add(void *unused) {
  int open = 0;
  while (!atomic_compare_exchange_strong(&lock, &open, 1)) {
    while (atomic_load(&lock))
      ;
    open = 0;
  }
  count++;
  atomic_store(&lock, 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, add, 0);
  add(0);
  pthread_join(thread, 0);
  printf("%d\n", count);
  return 0;
}
