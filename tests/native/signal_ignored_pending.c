// Of two pending signals the one that is ignored does not keep the other one
// from its handler; and a signal that is ignored while it is pending is gone.
// algorithms naive optimal
#include <assert.h>
#include <signal.h>
#include <stddef.h>

static int handled;

static void handler(int number) {
  handled += number == SIGUSR2 ? 1 : 10;
}

int main(void) {
  sigset_t both, now;
  sigemptyset(&both);
  sigaddset(&both, SIGUSR1);
  sigaddset(&both, SIGUSR2);
  signal(SIGUSR1, SIG_IGN);
  signal(SIGUSR2, handler);
  sigprocmask(SIG_BLOCK, &both, NULL);
  raise(SIGUSR1); // stays pending: it is blocked
  raise(SIGUSR2);
  sigpending(&now);
  assert(sigismember(&now, SIGUSR1) && sigismember(&now, SIGUSR2));
  sigprocmask(SIG_UNBLOCK, &both, NULL);
  assert(handled == 1);

  signal(SIGUSR1, handler);
  sigprocmask(SIG_BLOCK, &both, NULL);
  raise(SIGUSR1);
  signal(SIGUSR1, SIG_IGN);
  signal(SIGUSR1, handler);
  sigpending(&now);
  assert(!sigismember(&now, SIGUSR1));
  sigprocmask(SIG_UNBLOCK, &both, NULL);
  assert(handled == 1);
}
