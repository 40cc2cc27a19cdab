// Main waits for a worker that is woken again and again: no error, though there
// are states in which neither can move.
// algorithms stateful
// expect stateful: executions 0
// modes undo
// real no: it never ends
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t ping, pong;

static void *serve(void *unused) {
  for (;;) {
    sem_post(&ping);
    sem_wait(&pong);
  }
  return unused;
}

static void *work(void *unused) {
  for (;;) {
    sem_wait(&ping);
    sem_post(&pong);
  }
  return unused;
}

int main(void) {
  pthread_t server, worker;
  sem_init(&ping, 0, 0);
  sem_init(&pong, 0, 0);
  pthread_create(&server, NULL, serve, NULL);
  pthread_create(&worker, NULL, work, NULL);
  pthread_join(worker, NULL);
}
