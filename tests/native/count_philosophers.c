// Three philosophers: at each fork one of its two users is first, which gives
// 2^3 orders; "all wait for the left neighbour" is impossible, "all
// have the left fork" is the deadlock: 7 traces, one of them stuck (theory).
// expect optimal: executions 7, blocked 0
// expect unfold: executions 7, blocked 0
// expect source: executions 7
// expect error deadlock
// algorithms source optimal unfold
#include <pthread.h>

#define N 3
static pthread_mutex_t fork_[N] = {PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};

static void *philosopher(void *argument) {
  int i = (int)(long)argument;
  pthread_mutex_lock(&fork_[i]);
  pthread_mutex_lock(&fork_[(i + 1) % N]);
  pthread_mutex_unlock(&fork_[(i + 1) % N]);
  pthread_mutex_unlock(&fork_[i]);
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], 0, philosopher, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
}
