// Two posts, and main asks for the value when both are done: posts are ordered from
// then on, 2 (theory), and none is lost.
// expect optimal: executions 2, blocked 0
// expect source: executions 2
// expect unfold: executions 2, blocked 0
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;

static void *poster(void *unused) {
  sem_post(&sem);
  return unused;
}

int main(void) {
  pthread_t t[2];
  int value;
  sem_init(&sem, 0, 1);
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, poster, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  sem_getvalue(&sem, &value);
  assert(value == 3);
}
