// A wait for a semaphore ends with EINTR if a handler without SA_RESTART has run
// meanwhile, and only then.
// expect output "EINTR 1\n"
// expect output "ok 0\n"
// expect output "ok 1\n"
// counts differ: private steps are interrupted, too
// algorithms naive source optimal observers cs optimal-cs optimal-cs-ob unfold stateful
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t handled;
static sem_t sem;

static void handler(int number) {
  handled = number == SIGUSR1;
}

static void *run(void *unused) {
  int code = sem_wait(&sem);
  printf("%s %d\n", code == 0 ? "ok" : errno == EINTR ? "EINTR" : "?",
         (int)handled);
  return unused;
}

int main(void) {
  pthread_t t;
  struct sigaction a = {.sa_handler = handler};
  sem_init(&sem, 0, 0);
  sigaction(SIGUSR1, &a, NULL);
  pthread_create(&t, NULL, run, NULL);
  pthread_kill(t, SIGUSR1);
  sem_post(&sem);
  pthread_join(t, NULL);
}
