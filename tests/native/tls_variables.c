// Every thread has its own copies, initialised and zero; none disturbs another.
// expect all: executions 1
// expect optimal: executions 1, blocked 0
// algorithms optimal source
#include <assert.h>
#include <pthread.h>

static _Thread_local int counter = 3;
static _Thread_local char zeros[100];
static _Thread_local struct { long a[20]; } aligned
    __attribute__((aligned(64)));

static void *work(void *unused) {
  (void)unused;
  assert(counter == 3 && zeros[99] == 0 && aligned.a[19] == 0);
  assert((unsigned long)&aligned % 64 == 0);
  counter++;
  zeros[99] = 1;
  aligned.a[19] = 1;
  assert(counter == 4);
  return 0;
}

int main(void) {
  pthread_t thread[2];
  counter = 10;
  for (int i = 0; i < 2; i++)
    pthread_create(&thread[i], 0, work, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(thread[i], 0);
  assert(counter == 10 && zeros[99] == 0);
}
