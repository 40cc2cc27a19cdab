// Three threads post, and no thread waits: no order can be told from another, 1
// (theory).
// expect optimal: executions 1, blocked 0
// expect source: executions 1, blocked 0
// expect unfold: executions 1, blocked 0
// expect dc: executions 1, blocked 0
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;

static void *poster(void *unused) {
  assert(!sem_post(&sem));
  return unused;
}

int main(void) {
  pthread_t t[3];
  sem_init(&sem, 0, 0);
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], 0, poster, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  sem_destroy(&sem);
}
