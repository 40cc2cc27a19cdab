// Three threads arrive in any order, which makes no difference.
// expect optimal: executions 1, blocked 0
// algorithms optimal source
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int arrived[3];

static void *arrive(void *mine) {
  *(int *)mine = 1;
  pthread_barrier_wait(&barrier);
  assert(arrived[0] + arrived[1] + arrived[2] == 3);
  return 0;
}

int main(void) {
  pthread_t t[2];
  pthread_barrier_init(&barrier, 0, 3);
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, arrive, &arrived[i]);
  arrive(&arrived[2]);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
}
