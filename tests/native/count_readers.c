// One writer, five readers: each reads before or after the write, 2^5 (theory).
// expect optimal: executions 32, blocked 0
// expect unfold: executions 32, blocked 0
// expect source: executions 32
// algorithms source optimal unfold
// options --races=off
#include <pthread.h>

#ifndef N
#define N 5
#endif
static int x;

static void *writer(void *unused) {
  x = 1;
  return unused;
}

static void *reader(void *unused) {
  return x ? unused : 0;
}

int main(void) {
  pthread_t t[N + 1];
  pthread_create(&t[N], 0, writer, 0);
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], 0, reader, 0);
  for (int i = 0; i <= N; i++)
    pthread_join(t[i], 0);
}
