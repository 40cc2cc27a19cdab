// Real-time signals are queued, each with its value, in order; of others one is pending.
// The lower number comes first.  A value comes with a signal to a thread, too.
// expect output "34:1 34:2 35:3 USR1:4 none 10\n"
// algorithms naive optimal source unfold
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static int sum;

static void handle(int number, siginfo_t *info, void *unused) {
  sum += info->si_code == SI_QUEUE ? info->si_value.sival_int : 1000 * number;
  (void)unused;
}

int main(void) {
  sigset_t all;
  siginfo_t info;
  struct timespec none = {0};
  struct sigaction action = {.sa_flags = SA_SIGINFO};
  action.sa_sigaction = handle;
  sigemptyset(&all);
  sigaddset(&all, SIGUSR1);
  sigaddset(&all, SIGRTMIN);
  sigaddset(&all, SIGRTMIN + 1);
  sigprocmask(SIG_BLOCK, &all, NULL);
  sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = 3});
  sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 1});
  sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 2});
  for (int i = 0; i < 3; i++) {
    int number = sigwaitinfo(&all, &info);
    printf("%d:%d ", number, info.si_value.sival_int);
  }
  pthread_sigqueue(pthread_self(), SIGUSR1, (union sigval){.sival_int = 4});
  pthread_sigqueue(pthread_self(), SIGUSR1, (union sigval){.sival_int = 5});
  if (sigwaitinfo(&all, &info) == SIGUSR1)
    printf("USR1:%d ", info.si_value.sival_int);
  if (sigtimedwait(&all, &info, &none) == -1 && errno == EAGAIN)
    printf("none ");
  sigaction(SIGRTMIN, &action, NULL);
  for (int i = 1; i <= 4; i++)
    pthread_sigqueue(pthread_self(), SIGRTMIN, (union sigval){.sival_int = i});
  sigprocmask(SIG_UNBLOCK, &all, NULL);
  printf("%d\n", sum);
}
