// A loop looks under a mutex, and another thread notices that: its trylock
// fails.  So rounds in vain are part of executions.
// expect incomplete
// options --max-steps=40
// algorithms dpor source optimal
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *waits(void *unused) {
  int seen;
  do {
    pthread_mutex_lock(&m);
    seen = done;
    pthread_mutex_unlock(&m);
  } while (!seen);
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
