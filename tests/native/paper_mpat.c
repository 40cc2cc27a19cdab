// MPAT(4) of the quasi-optimal paper, table 1: 384 executions (the paper).
// expect optimal: executions 384, blocked 0
// expect unfold: executions 384, blocked 0
// expect source: executions 384
// algorithms source optimal unfold
#include <pthread.h>

#ifndef K
#define K 4
#endif

static pthread_mutex_t ma[K], mi = PTHREAD_MUTEX_INITIALIZER;

static void *w(void *argument) {
  long i = (long)argument;
  pthread_mutex_lock(&ma[i]);
  pthread_mutex_unlock(&ma[i]);
  return 0;
}

static void *r(void *argument) {
  long i = (long)argument;
  pthread_mutex_lock(&mi);
  pthread_mutex_lock(&ma[i]);
  pthread_mutex_unlock(&ma[i]);
  pthread_mutex_unlock(&mi);
  return 0;
}

int main(void) {
  pthread_t t;
  for (int i = 0; i < K; i++)
    pthread_mutex_init(&ma[i], 0);
  for (long i = 0; i < K; i++) {
    pthread_create(&t, 0, w, (void *)i);
    pthread_create(&t, 0, r, (void *)i);
  }
}
