// A signal to a thread that finds the process ended at its next step: whether that
// step or the arrival comes first makes no difference.
// counts differ: naive interrupts private steps, too
// algorithms naive source optimal observers cs optimal-cs optimal-cs-ob unfold stateful
// Outputs: T writes none, one or both of its letters before main ends, and an h
// stands before, between or behind them.
// expect output ""
// expect output "a"
// expect output "aa"
// expect output "h"
// expect output "ha"
// expect output "ah"
// expect output "haa"
// expect output "aha"
// expect output "aah"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int n;

static void handler(int unused) {
  (void)unused;
  n++;
  write(1, "h", 1);
}

static void *writes(void *unused) {
  write(1, "a", 1);
  write(1, "a", 1);
  return unused;
}

static pthread_t t;

int main(void) {
  signal(SIGUSR1, handler);
  pthread_create(&t, NULL, writes, NULL);
  pthread_kill(t, SIGUSR1);
}
