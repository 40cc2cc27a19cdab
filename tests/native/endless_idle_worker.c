// A worker is idle for ever, and main waits for a server that goes on for ever:
// no error.
// algorithms stateful
// expect stateful: executions 0
// modes undo
// real no: it never ends
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static sem_t jobs;
static atomic_int tick;

static void *serve(void *unused) {
  for (;;)
    tick = !tick;
  return unused;
}

static void *work(void *unused) {
  for (;;)
    sem_wait(&jobs);
  return unused;
}

int main(void) {
  pthread_t server, worker;
  sem_init(&jobs, 0, 0);
  pthread_create(&server, NULL, serve, NULL);
  pthread_create(&worker, NULL, work, NULL);
  sem_post(&jobs);
  pthread_join(server, NULL);
}
