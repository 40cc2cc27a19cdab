// A look at the value of a semaphore does not let a thread pass that waits: before
// it, the semaphore was 0 as well.
// expect error deadlock
// expect optimal: executions 1, blocked 0
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *look(void *unused) {
  int value;
  sem_getvalue(&s, &value);
  return unused;
}

int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, look, 0);
  sem_wait(&s);
  pthread_join(t, 0);
}
