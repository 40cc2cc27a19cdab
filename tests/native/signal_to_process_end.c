// A signal to the process that arrives before or after main has ended it, while
// another thread can take it, too.
// algorithms naive source optimal observers cs optimal-cs optimal-cs-ob unfold stateful
// counts differ: naive interrupts private steps, too
// options --exit-status=any
// expect safe
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static pthread_t t;

static void *ends(void *unused) {
  return unused;
}

int main(void) {
  pthread_create(&t, NULL, ends, NULL);
  kill(getpid(), SIGUSR2);
}
