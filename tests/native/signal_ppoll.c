// ppoll() lets the signal through and waits in one step: it is not lost.
// real no: the signal comes from outside
// options --signal SIGTERM
// expect output "stopped\n"
// counts differ: private steps are interrupted, too
// algorithms naive source optimal observers cs optimal-cs optimal-cs-ob unfold stateful
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t stop;

static void handler(int number) {
  stop = number;
}

__attribute__((constructor)) static void begin(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigprocmask(SIG_BLOCK, &set, NULL);
  signal(SIGTERM, handler);
}

int main(void) {
  int ends[2];
  sigset_t none;
  sigemptyset(&none);
  if (pipe(ends))
    return 1;
  struct pollfd p = {ends[0], POLLIN, 0};
  while (!stop)
    if (ppoll(&p, 1, NULL, &none) != -1 || errno != EINTR)
      return 2;
  puts("stopped");
}
