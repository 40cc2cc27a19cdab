// The same where only synchronisation is interleaved: the thread's reads are no
// steps, so that its first one is the join.
// expect optimal: executions 1, blocked 0
// expect source: executions 1, blocked 0
// options --interfere=locks
// algorithms source optimal
#include <pthread.h>
#include <semaphore.h>

static pthread_t a;
static sem_t done;

static void *nothing(void *argument) {
  return argument;
}

static void *join(void *argument) {
  pthread_join(a, 0);
  sem_post(&done);
  return argument;
}

int main(void) {
  pthread_t b;
  pthread_create(&a, 0, nothing, 0);
  sem_init(&done, 0, 0);
  pthread_create(&b, 0, join, 0);
  sem_wait(&done);
  pthread_join(b, 0);
}
