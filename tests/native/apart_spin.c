// --interfere=locks: a loop that waits for an atomic flag reads data on its way
// round.  What the flag publishes is seen, and the loop is a wait as ever: three
// traces, for naive with every access as well.
// expect optimal: executions 3, blocked 0
// expect output "5\n"
// options --interfere=locks
// algorithms source optimal cs optimal-cs
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int flag;
static int data, limit;

static void *run(void *unused) {
  (void)unused;
  while (atomic_load(&flag) <= limit)
    ;
  printf("%d\n", data);
  return 0;
}

int main(void) {
  pthread_t t;
  limit = 0;
  pthread_create(&t, 0, run, 0);
  data = 5;
  atomic_store(&flag, 1);
  pthread_join(t, 0);
}
