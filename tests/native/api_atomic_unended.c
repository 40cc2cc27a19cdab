// A thread ends inside an atomic block.
// expect error misuse
// expect message a thread ends inside an atomic block
#include <heddle.h>
#include <pthread.h>

static void *begins(void *unused) {
  (void)unused;
  heddle_atomic_begin();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, begins, 0);
  pthread_join(t, 0);
}
