// The signal comes between the look at the flag and pause(): the program waits
// for ever.
// real no: the signal comes from outside
// options --signal SIGTERM --exit-status any
// expect error deadlock
// algorithms naive source optimal observers cs optimal-cs optimal-cs-ob unfold stateful
#include <signal.h>
#include <unistd.h>

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
  sigprocmask(SIG_SETMASK, &old, NULL);
  while (!stop)
    pause();
}
