// A thread waits in a loop for a flag: rounds that find nothing are left out, so
// that there is one execution.
// expect optimal: executions 1, blocked 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static void *produce(void *unused) {
  (void)unused;
  data = 1;
  atomic_store(&flag, 1);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, produce, 0);
  while (!atomic_load(&flag)) {
  }
  assert(data == 1);
  pthread_join(t, 0);
}
