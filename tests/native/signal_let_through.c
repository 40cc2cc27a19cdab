// A mask lets two pending signals through at a time.  Linux begins the handler
// of the lower number first, and the other one on top of it, before its first
// instruction; unless the action of the first blocks the second.
// algorithms naive optimal
#include <assert.h>
#include <signal.h>
#include <stddef.h>

static int order;

static void handler(int number) {
  order = order * 10 + (number == SIGUSR1 ? 1 : 2);
}

static void both_at_a_time(const sigset_t *both) {
  order = 0;
  sigprocmask(SIG_BLOCK, both, NULL);
  raise(SIGUSR1);
  raise(SIGUSR2);
}

int main(void) {
  sigset_t both, none;
  struct sigaction a = {.sa_handler = handler};
  sigemptyset(&none);
  sigemptyset(&both);
  sigaddset(&both, SIGUSR1);
  sigaddset(&both, SIGUSR2);
  sigaction(SIGUSR1, &a, NULL);
  sigaction(SIGUSR2, &a, NULL);
  both_at_a_time(&both);
  sigprocmask(SIG_UNBLOCK, &both, NULL);
  assert(order == 21);
  both_at_a_time(&both);
  sigsuspend(&none);
  assert(order == 21);
  sigprocmask(SIG_UNBLOCK, &both, NULL);

  a.sa_mask = both;
  sigaction(SIGUSR1, &a, NULL);
  both_at_a_time(&both);
  sigprocmask(SIG_UNBLOCK, &both, NULL);
  assert(order == 12);
}
