// An assumption stops a thread before its first step; a signal to it could have come before
// that, with a handler that makes the assumption hold.
// algorithms source optimal observers cs optimal-cs optimal-cs-ob unfold stateful
// expect error assertion
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <signal.h>

int told;

static void handler(int number) {
  (void)number;
  told = 1;
}

static void *run(void *unused) {
  heddle_assume(told);
  assert(!"told"); // expect assertion here
  return unused;
}

int main(void) {
  pthread_t thread;
  signal(SIGUSR1, handler);
  pthread_create(&thread, 0, run, 0);
  pthread_kill(thread, SIGUSR1);
}
