// A signal to the process may be taken by a thread that is created after it was
// sent, by the creator, or by another thread; a step does the same whichever
// takes it.  Outcomes: each of the three threads may take it, and no other.
// expect output "0\n"
// expect output "1\n"
// expect output "2\n"
// algorithms source optimal observers pop stateful
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static __thread int who;
static int taken = -1;

static void on_signal(int number) {
  (void)number;
  taken = who;
}

static void *inner(void *unused) {
  who = 2;
  return unused;
}

static void *outer(void *unused) {
  pthread_t t;
  who = 1;
  pthread_create(&t, NULL, inner, NULL);
  pthread_join(t, NULL);
  return unused;
}

int main(void) {
  pthread_t t;
  sigset_t all;
  signal(SIGTERM, on_signal);
  pthread_create(&t, NULL, outer, NULL);
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  kill(getpid(), SIGTERM);
  pthread_join(t, NULL);
  pthread_sigmask(SIG_UNBLOCK, &all, NULL);
  printf("%d\n", taken);
}
