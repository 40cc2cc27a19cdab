// Actions are kept.  That nothing is left out is known as long as there are no
// handlers.
#include <assert.h>
#include <signal.h>

int main(void) {
  struct sigaction a = {.sa_flags = SA_RESTART}, old;
  sigset_t set, other;
  a.sa_handler = SIG_IGN;
  assert(signal(SIGPIPE, SIG_IGN) == SIG_DFL);
  assert(signal(SIGPIPE, SIG_DFL) == SIG_IGN);
  assert(sigaction(SIGUSR1, &a, &old) == 0 && old.sa_handler == SIG_DFL);
  assert(sigaction(SIGUSR1, 0, &old) == 0 && old.sa_handler == SIG_IGN);
  assert(old.sa_flags & SA_RESTART);
  assert(signal(SIGKILL, SIG_IGN) == SIG_ERR);
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigemptyset(&other);
  assert(pthread_sigmask(SIG_BLOCK, &set, &other) == 0);
  assert(!sigismember(&other, SIGTERM));
}
