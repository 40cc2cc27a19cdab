// sigsuspend() lets the signal through and waits in one step: it is not lost.
// real no: the signal comes from outside
// options --signal SIGTERM --exit-status any
// expect output ""
// expect output "stopped\n"
// algorithms naive source optimal observers cs optimal-cs optimal-cs-ob unfold stateful
#include <errno.h>
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t stop;

static void handler(int number) {
  stop = number;
}

int main(void) {
  sigset_t set, old;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigprocmask(SIG_BLOCK, &set, &old);
  signal(SIGTERM, handler);
  while (!stop)
    if (sigsuspend(&old) != -1 || errno != EINTR)
      puts("?");
  puts("stopped");
}
