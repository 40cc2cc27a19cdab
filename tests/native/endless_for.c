// A loop that counts to an end known before is not without end: its rounds count
// as hundredths.
// options --loop-bound=1
// expect optimal: executions 51, blocked 0
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *add(void *unused) {
  for (int i = 0; i < 50; i++)
    x++;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, add, 0);
  return x > 50;
}
