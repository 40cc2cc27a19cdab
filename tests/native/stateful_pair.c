// Two daemons that let each other go on, in finitely many states,
// so that a search with stored states comes to an end.  The program has its outcome
// when main returns.
// options --outcomes
// algorithms stateful
// modes undo
// expect output "main\n"
// real no: only stateful, which the judge does not use, comes to an end
#include <stdio.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t ping, pong;

static void *first(void *unused) {
  for (;;) {
    sem_wait(&ping);
    sem_post(&pong);
  }
  return unused;
}

static void *second(void *unused) {
  for (;;) {
    sem_wait(&pong);
    sem_post(&ping);
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  sem_init(&ping, 0, 1);
  sem_init(&pong, 0, 0);
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  puts("main");
}
