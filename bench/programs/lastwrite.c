/* lastwrite(N): N threads store the same value; main joins and reads: N!. */
#include <pthread.h>

#ifndef N
#define N 8
#endif
static int x;

static void *writer(void *unused) {
  x = 1;
  return unused;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], 0, writer, 0);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  return x - 1;
}
