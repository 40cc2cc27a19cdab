// Three threads hand a token round; who has it may write.
// algorithms stateful
// modes undo
// expect stateful: executions 0
// real no: it never ends
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t turn[3];
static int holder;

static void *run(void *number) {
  int me = (int)(long)number;
  for (;;) {
    sem_wait(&turn[me]);
    holder = me;
    assert(holder == me);
    sem_post(&turn[(me + 1) % 3]);
  }
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 3; i++)
    sem_init(&turn[i], 0, i == 0);
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], 0, run, (void *)(i + 1));
  run(0);
}
