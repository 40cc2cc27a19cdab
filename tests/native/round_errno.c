// A loop that waits for errno: the failed sem_trywait changes it, and the thread looks
// at it without a step.  Counts: T1 alone has something to do.
// expect optimal: executions 1, blocked 0
// expect output "1 round\n"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t empty;

static void *looks(void *unused) {
  while (errno != EAGAIN)
    sem_trywait(&empty);
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&empty, 0, 0);
  pthread_create(&thread, NULL, looks, NULL);
  pthread_join(thread, NULL);
  puts("1 round");
}
