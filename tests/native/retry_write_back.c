// The same as retry_counter, where the swap that fails brings the value of the next
// try: that is as good as reading again.  3!.
// expect optimal: executions 6, blocked 0
// expect unfold: executions 6, blocked 0
// expect observers: executions 6, blocked 0
// expect cs: executions 6, blocked 0
// expect optimal-cs: executions 6, blocked 0
// expect dc: executions 6, blocked 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *add(void *unused) {
  int old = x;
  while (!atomic_compare_exchange_weak(&x, &old, old + 1))
    ;
  return unused;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  assert(x == 3);
}
