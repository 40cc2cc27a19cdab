// A loop that waits by sleeping: how long, it reads from its own memory.
// expect safe
// expect optimal: executions 1, blocked 0
// algorithms dpor source optimal
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int flag;

static void *sets(void *unused) {
  flag = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  struct timespec time = {0, 1000};
  pthread_create(&t, 0, sets, 0);
  while (!flag)
    nanosleep(&time, 0);
  pthread_join(t, 0);
}
