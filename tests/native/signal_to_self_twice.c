// A signal that another thread has sent, and that has not arrived yet, stands
// for the one that the thread sends to itself.  It has arrived when raise()
// returns.
// counts differ: private steps are interrupted, too
// algorithms naive source optimal pop observers cs optimal-cs optimal-cs-ob unfold stateful
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static int handled;

static void handler(int number) {
  (void)number;
  handled = 1;
}

static void *run(void *unused) {
  raise(SIGUSR1);
  assert(handled);
  return unused;
}

int main(void) {
  pthread_t thread;
  signal(SIGUSR1, handler);
  pthread_create(&thread, NULL, run, NULL);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, NULL);
}
