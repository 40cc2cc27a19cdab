// N threads lock a mutex, replace x by nine times x and a number of their own,
// and unlock: each of the N! orders leaves another x, so no state comes again.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 6
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *append(void *number) {
  pthread_mutex_lock(&mutex);
  x = x * 9 + (int)(intptr_t)number;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (intptr_t i = 0; i < N; i++)
    pthread_create(&threads[i], 0, append, (void *)(i + 1));
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  printf("%d\n", x);
}
