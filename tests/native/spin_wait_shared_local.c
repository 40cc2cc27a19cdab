// The loop changes a local variable that another thread reads: it does not only
// wait, and must not be cut short.
// expect refused a loop of main changes
#include <pthread.h>
#include <stdatomic.h>

static atomic_int go;
static _Atomic(atomic_int *) published;

static void *watch(void *unused) {
  (void)unused;
  atomic_int *phase = atomic_load(&published);
  if (atomic_load(phase) == 1)
    if (atomic_load(phase) == 0)
      if (atomic_load(phase) == 1)
        atomic_store(&go, 1);
  return 0;
}

int main(void) {
  pthread_t t;
  atomic_int phase = 0;
  atomic_store(&published, &phase);
  pthread_create(&t, 0, watch, 0);
  while (!atomic_load(&go)) {
    atomic_store(&phase, 1);
    atomic_store(&phase, 0);
  }
  pthread_join(t, 0);
}
