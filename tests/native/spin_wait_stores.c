// A loop that waits and stores on its way round what it has just read.  Whether
// that changes anything depends on the order of stores that no event
// observes.
// expect safe
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a, b;

static void *wait(void *unused) {
  (void)unused;
  int end;
  do {
    end = atomic_load(&a);
    atomic_store(&b, atomic_load(&b));
  } while (!end);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, wait, 0);
  atomic_store(&b, 5);
  atomic_store(&a, 1);
  pthread_join(t, 0);
}
