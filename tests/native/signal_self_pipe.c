// The handler writes to a pipe, on which the program waits together with its
// clients.
// real no: the signal comes from outside
// options --signal SIGTERM
// expect output "quit\n"
// counts differ: private steps are interrupted, too
// algorithms naive source optimal observers cs optimal-cs optimal-cs-ob unfold stateful
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2];

static void handler(int number) {
  char byte = (char)number;
  int saved = errno;
  if (write(ends[1], &byte, 1) != 1)
    _exit(3);
  errno = saved;
}

__attribute__((constructor)) static void begin(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigprocmask(SIG_BLOCK, &set, NULL);
}

int main(void) {
  char byte;
  sigset_t none;
  struct sigaction a = {.sa_handler = handler};
  if (pipe(ends))
    return 1;
  sigaction(SIGTERM, &a, NULL);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  for (;;) {
    struct pollfd p = {ends[0], POLLIN, 0};
    int n = poll(&p, 1, -1);
    if (n < 0 && errno == EINTR)
      continue;
    if (n != 1 || read(ends[0], &byte, 1) != 1)
      return 2;
    puts("quit");
    return 0;
  }
}
