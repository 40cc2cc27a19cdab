// A thread that a signal may reach ends after a step in some executions, and
// goes on in others.
// expect output "0\n"
// expect output "1\n"
// expect output "2\n"
// counts differ: private steps are interrupted, too
// algorithms naive source optimal observers cs optimal-cs optimal-cs-ob unfold stateful
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int go, seen;
static volatile sig_atomic_t late;

static void handler(int number) {
  late = number == SIGUSR1;
}

static void *run(void *unused) {
  if (go)
    seen = 1 + late;
  return unused;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, handler);
  pthread_create(&t, NULL, run, NULL);
  pthread_kill(t, SIGUSR1);
  go = 1;
  pthread_join(t, NULL);
  printf("%d\n", seen);
}
