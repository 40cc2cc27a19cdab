// A null pointer that only one order dereferences.
// expect error crash
// expect message access through a null pointer
#include <pthread.h>
#include <stdatomic.h>

static int x;
static int *_Atomic p;

static void *set(void *unused) {
  (void)unused;
  atomic_store(&p, &x);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  *atomic_load(&p) = 1; // expect crash here
  pthread_join(t, 0);
}
