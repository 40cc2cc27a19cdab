// Four threads increment under a mutex: the sections are ordered, 4! (theory).
// expect optimal: executions 24, blocked 0
// expect unfold: executions 24, blocked 0
// expect source: executions 24
// algorithms source optimal unfold
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 4
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *increment(void *unused) {
  pthread_mutex_lock(&m);
  count++;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], 0, increment, 0);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  assert(count == N);
}
