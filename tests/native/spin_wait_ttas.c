// A test-and-test-and-set lock: whoever finds it taken looks at it, then takes
// it, and saw two values if another was faster.
// expect safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int inside;

static void *enter(void *unused) {
  (void)unused;
  do
    while (atomic_load(&lock)) {
    }
  while (atomic_exchange(&lock, 1));
  inside++;
  assert(inside == 1);
  inside--;
  atomic_store(&lock, 0);
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, enter, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
}
