// A loop that waits for a sum: the additions to it have an order, 3!, and the loop
// ends after the last.
// expect optimal: executions 6, blocked 0
// expect unfold: executions 6, blocked 0
// expect observers: executions 6, blocked 0
// algorithms optimal source dpor unfold observers cs
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum;

static void *add(void *unused) {
  sum++;
  return unused;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], 0, add, 0);
  while (sum != 3)
    ;
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
}
