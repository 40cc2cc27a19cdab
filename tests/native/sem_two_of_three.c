// A semaphore of 2 and three threads that take and post.  The orders of three
// pairs are 6!/2^3 = 90; in 3! * 3! = 36 of them all three would hold it: 54.
// expect optimal: executions 54, blocked 0
// algorithms optimal source
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;

static void *user(void *unused) {
  (void)unused;
  assert(sem_wait(&sem) == 0);
  assert(sem_post(&sem) == 0);
  return 0;
}

int main(void) {
  pthread_t t[3];
  sem_init(&sem, 0, 2);
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], 0, user, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  sem_destroy(&sem);
}
