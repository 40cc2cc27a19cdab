// All threads block the signals, and one takes them: no handler, no race.
// real no: the signal comes from outside
// options --signal SIGTERM --signal SIGINT
// expect output "got 2\n"
// expect output "got 15\n"
// algorithms naive source optimal observers cs optimal-cs optimal-cs-ob unfold stateful
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

static void *take(void *set) {
  int number;
  sigwait(set, &number);
  printf("got %d\n", number);
  return NULL;
}

static sigset_t set;

/* Before main: no signal has come yet. */
__attribute__((constructor)) static void block(void) {
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  sigprocmask(SIG_BLOCK, &set, NULL);
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, take, &set);
  pthread_join(t, NULL);
}
