// A handler of one thread races with another thread, not with its own.
// options --races=error
// expect error race
// algorithms naive source optimal observers cs optimal-cs optimal-cs-ob unfold stateful
#include <pthread.h>
#include <signal.h>

static int count;

static void handler(int number) {
  count += number; // expect race with line 24
}

static void *run(void *unused) {
  signal(SIGUSR1, handler);
  count++;
  raise(SIGUSR1);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  count++; // expect race with line 11
  pthread_join(t, NULL);
}
