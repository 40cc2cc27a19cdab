// A signal that ends the program may come before its target has ended, also if no
// execution before sent it to a thread that had not.
// algorithms naive source optimal observers cs optimal-cs optimal-cs-ob unfold stateful
// counts differ: naive interrupts private steps, too
// options --exit-status=any
// Outputs: T has ended or not when K sends the signal, main may end before it
// arrives, and T may write first.
// expect output ""
// expect output "t"
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static pthread_t t;

static void *ends(void *unused) {
  write(1, "t", 1);
  return unused;
}

static void *kills(void *unused) {
  pthread_kill(t, SIGUSR1);
  return unused;
}

int main(void) {
  pthread_t k;
  pthread_create(&t, NULL, ends, NULL);
  pthread_create(&k, NULL, kills, NULL);
  pthread_join(t, NULL);
}
