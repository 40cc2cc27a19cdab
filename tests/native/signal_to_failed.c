// A signal to a thread that has failed could have come before: the two have an order. Two
// executions of the joins, and the signal before, between or after the steps of the second.
// expect error misuse
// options --exit-status=any --races=off
// algorithms source optimal observers cs optimal-cs optimal-cs-ob unfold stateful
#include <pthread.h>
#include <signal.h>

pthread_t joined;
int handled;

static void handler(int number) {
  (void)number;
  handled++;
}

static void *run(void *unused) {
  return unused;
}

static void *join(void *unused) {
  pthread_join(joined, 0); // expect misuse here
  return unused;
}

int main(void) {
  pthread_t other;
  signal(SIGUSR1, handler);
  pthread_create(&joined, 0, run, 0);
  pthread_create(&other, 0, join, 0);
  pthread_kill(other, SIGUSR1);
  pthread_join(joined, 0); // expect misuse here
  return handled;
}
