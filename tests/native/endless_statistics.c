// A lock taken by trying, with a count of what failed, modulo 4, in memory.
// algorithms stateful
// modes undo
// expect stateful: executions 0
// real no: it never ends
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int failed[2], data;

static void *run(void *number) {
  for (;;) {
    while (atomic_exchange(&lock, 1))
      failed[(long)number] = (failed[(long)number] + 1) % 4;
    data = 1 - data;
    lock = 0;
  }
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, (void *)1L);
  run(0);
}
