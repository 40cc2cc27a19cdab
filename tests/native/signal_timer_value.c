// A signal of a timer brings the timer's value, to a handler, to a thread that waits for it and
// from the queue: two timers of one real-time signal are both taken.
// algorithms naive source optimal observers cs optimal-cs optimal-cs-ob unfold stateful
// counts differ: naive interrupts private steps, too
// expect output "5 1 3 8\n"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t told;

static void handler(int number, siginfo_t *info, void *unused) {
  (void)number;
  (void)unused;
  told = info->si_code == SI_TIMER ? info->si_value.sival_int : -1;
}

static void start(int number, int value) {
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
                           .sigev_signo = number,
                           .sigev_value.sival_int = value};
  struct itimerspec soon = {.it_value.tv_nsec = 1000};
  timer_t timer;
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  timer_settime(timer, 0, &soon, 0);
}

int main(void) {
  struct sigaction action;
  sigset_t waits, none, before;
  siginfo_t info;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR1, &action, 0);
  sigemptyset(&none);
  sigemptyset(&waits);
  sigaddset(&waits, SIGUSR1);
  sigaddset(&waits, SIGRTMIN);
  sigprocmask(SIG_BLOCK, &waits, &before);
  start(SIGUSR1, 5);
  while (!told)
    sigsuspend(&before);
  sigdelset(&waits, SIGUSR1);
  start(SIGRTMIN, 1);
  start(SIGRTMIN, 2);
  sigwaitinfo(&waits, &info);
  int sum = info.si_value.sival_int;
  sigwaitinfo(&waits, &info);
  printf("%d %d %d ", told, info.si_code == SI_TIMER, sum + info.si_value.sival_int);
  sigaddset(&none, SIGALRM);
  sigprocmask(SIG_BLOCK, &none, 0);
  start(SIGALRM, 8);
  sigwaitinfo(&none, &info);
  printf("%d\n", info.si_value.sival_int);
}
