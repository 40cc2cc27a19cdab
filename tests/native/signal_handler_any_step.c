// A handler runs between any two steps of the thread, or when it has ended never.
// expect output "0 0\n"
// expect output "0 1\n"
// expect output "1 1\n"
// counts differ: private steps are interrupted, too
// algorithms naive source optimal observers cs optimal-cs optimal-cs-ob unfold stateful
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t flag;

static void handler(int number) {
  (void)number;
  flag = 1;
}

static void *run(void *unused) {
  int before = flag, after = flag;
  printf("%d %d\n", before, after);
  return unused;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, handler);
  pthread_create(&t, NULL, run, NULL);
  pthread_kill(t, SIGUSR1);
  pthread_join(t, NULL);
}
