// A loop around a timed wait, and another thread notices that the mutex was held
// in a round in vain: its trylock fails.  So such rounds are part of executions.
// expect incomplete
// options --max-steps=40
// algorithms dpor source optimal
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int done;

static void *waits(void *unused) {
  struct timespec soon = {1, 0};
  pthread_mutex_lock(&m);
  while (!done)
    pthread_cond_timedwait(&c, &m, &soon);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waits, 0);
  int failed = pthread_mutex_trylock(&m) != 0;
  if (failed)
    pthread_mutex_lock(&m);
  done = 1;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  printf("%d\n", failed);
}
