// A timer that repeats comes again when a thread waits for its signal.  It is
// no deadlock that it may come no more.
// expect incomplete
// expect output "3 2\n"
// expect message a timer that repeats comes once
// counts differ: private steps are interrupted, too
// algorithms naive source optimal observers cs optimal-cs optimal-cs-ob unfold stateful
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

static volatile sig_atomic_t ticks;

static void tick(int number) {
  (void)number;
  ticks++;
}

static void start(int seconds) {
  struct itimerval t = {{seconds, 0}, {seconds, 0}};
  setitimer(ITIMER_REAL, &t, NULL);
}

int main(void) {
  struct sigaction a = {.sa_handler = tick};
  sigset_t blocked, before;
  int got, seen = 0;
  sigaction(SIGALRM, &a, NULL);
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGALRM);
  sigprocmask(SIG_BLOCK, &blocked, &before);
  start(1);
  while (ticks < 3)
    sigsuspend(&before);
  for (; seen < 2; seen++)
    sigwait(&blocked, &got);
  printf("%d %d\n", ticks, seen);
}
