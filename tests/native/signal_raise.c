// What a thread sends to itself arrives at once, if it is not blocked.
// algorithms naive source optimal observers cs optimal-cs optimal-cs-ob unfold stateful
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t count, inner;
static sigjmp_buf place;

static void handler(int number, siginfo_t *info, void *context) {
  sigset_t now;
  assert(info->si_signo == number && context);
  sigprocmask(SIG_SETMASK, NULL, &now);
  assert(sigismember(&now, SIGUSR1) && sigismember(&now, SIGUSR2));
  count++;
  if (count == 1) {
    raise(SIGUSR1); /* blocked until the handler returns */
    assert(count == 1);
  }
}

static void once(int number) {
  inner = number;
}

static void jump(int number) {
  siglongjmp(place, number);
}

int main(void) {
  struct sigaction a = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
  sigset_t set, pending;
  sigemptyset(&a.sa_mask);
  sigaddset(&a.sa_mask, SIGUSR2);
  sigaction(SIGUSR1, &a, NULL);
  raise(SIGUSR1);
  assert(count == 2);

  struct sigaction b = {.sa_handler = once, .sa_flags = (int)SA_RESETHAND};
  sigaction(SIGUSR2, &b, NULL);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  sigprocmask(SIG_BLOCK, &set, NULL);
  kill(getpid(), SIGUSR2);
  assert(!inner && sigpending(&pending) == 0 &&
         sigismember(&pending, SIGUSR2));
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  assert(inner == SIGUSR2 && signal(SIGUSR2, jump) == SIG_DFL);

  if (!sigsetjmp(place, 1)) {
    raise(SIGUSR2);
    assert(0);
  }
  sigprocmask(SIG_SETMASK, NULL, &set);
  assert(!sigismember(&set, SIGUSR2));
  signal(SIGUSR2, SIG_IGN);
  raise(SIGUSR2);
  raise(SIGCHLD);
}
