// A loop that counts its rounds, and the count is not used: it is not part of
// what the thread knows.
// expect safe
// expect optimal: executions 1, blocked 0
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *sets(void *unused) {
  flag = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  int rounds = 0;
  pthread_create(&t, 0, sets, 0);
  while (!flag)
    rounds++;
  pthread_join(t, 0);
}
