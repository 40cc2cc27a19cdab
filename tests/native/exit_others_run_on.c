// What another thread does may come before the exit: its failure is found
// although main ends at once.
// expect error assertion
// real no: the process may end before the other thread fails
#include <assert.h>
#include <pthread.h>

static int zero;

static void *fail(void *unused) {
  (void)unused;
  assert(zero); // expect assertion here
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, fail, 0);
}
