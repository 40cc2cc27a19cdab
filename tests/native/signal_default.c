// A signal without a handler ends the process, at any step of the others.
// options --exit-status any
// expect output ""
// expect output "one\n"
// algorithms naive source optimal observers cs optimal-cs optimal-cs-ob unfold stateful
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static void *run(void *unused) {
  puts("one");
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  kill(getpid(), SIGTERM);
  pthread_join(t, NULL);
  pause();
}
