// Main waits for what never comes, but a thread that goes round may end the
// process: no error.
// algorithms stateful
// expect output "end\n"
// modes undo
// real no: it may go on for long
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static sem_t never;
static atomic_int tick, end;

static void *serve(void *unused) {
  while (!end)
    tick = !tick;
  puts("end");
  exit(0);
  return unused;
}

static void *stop(void *unused) {
  end = 1;
  return unused;
}

int main(void) {
  pthread_t server, stopper;
  sem_init(&never, 0, 0);
  pthread_create(&server, NULL, serve, NULL);
  pthread_create(&stopper, NULL, stop, NULL);
  sem_wait(&never);
}
