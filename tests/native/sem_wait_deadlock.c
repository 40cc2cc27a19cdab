// Two threads take, one posts once: one of the two waits for ever.
// expect error deadlock
// expect optimal: executions 2, blocked 0
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;

static void *taker(void *unused) {
  (void)unused;
  sem_wait(&sem);
  return 0;
}

int main(void) {
  pthread_t a, b;
  sem_init(&sem, 0, 0);
  pthread_create(&a, 0, taker, 0);
  pthread_create(&b, 0, taker, 0);
  sem_post(&sem);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
