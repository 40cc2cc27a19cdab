// A signal without a handler ends the process, at any step of the others.  The
// thread that waits in pthread_join cannot go first.  Executions: it comes before
// the other prints, before that one ends, before main joins it, or in pause().
// options --exit-status any
// expect output ""
// expect output "one\n"
// expect source: executions 4, blocked 0
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
