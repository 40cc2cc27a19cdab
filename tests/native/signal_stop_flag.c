// A server that goes on until a signal comes from outside.  Before the handler
// is set, the signal ends the program.
// real no: the signal comes from outside
// options --signal SIGTERM
// expect output ""
// expect output "stopped\n"
// counts differ: private steps are interrupted, too
// algorithms naive source optimal observers cs optimal-cs optimal-cs-ob unfold stateful
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t stop;

static void handler(int number) {
  stop = number;
}

int main(void) {
  struct sigaction a = {.sa_handler = handler};
  sigaction(SIGTERM, &a, NULL);
  while (!stop)
    ;
  puts("stopped");
}
