// A pointer that is advanced by compare-and-swap: clang compares it as an
// integer.  Each read and its swap are one step: one execution for each order
// of the threads, as for retry_write_back.
// expect optimal: executions 6, blocked 0
// expect source: executions 6, blocked 0
// expect observers: executions 6, blocked 0
// expect dc: executions 6, blocked 0
// expect dpor: executions 6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static char bytes[4];
static char *_Atomic place = bytes;

static void *next(void *unused) {
  (void)unused;
  char *old = place;
  while (!atomic_compare_exchange_strong(&place, &old, old + 1))
    ;
  return 0;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], 0, next, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  assert(place == bytes + 3);
}
