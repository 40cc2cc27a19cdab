// N philosophers take their forks, the lower number first, and eat once.
#include <pthread.h>

#ifndef N
#define N 8
#endif

static pthread_mutex_t forks[N];
static int meals[N];

static void *dine(void *number) {
  int me = (int)(long)number, left = me, right = (me + 1) % N;
  int low = left < right ? left : right, high = left < right ? right : left;
  pthread_mutex_lock(&forks[low]);
  pthread_mutex_lock(&forks[high]);
  meals[me]++;
  pthread_mutex_unlock(&forks[high]);
  pthread_mutex_unlock(&forks[low]);
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; i++)
    pthread_mutex_init(&forks[i], 0);
  for (long i = 0; i < N; i++)
    pthread_create(&threads[i], 0, dine, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
}
