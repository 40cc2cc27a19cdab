#include <pthread.h>

static pthread_mutex_t forks[4];
static int eaten[4];

static void *eat(void *number) {
  int me = (int)(long)number, other = (me + 1) % 4;
  int low = me < other ? me : other, high = me < other ? other : me;
  pthread_mutex_lock(&forks[low]);
  pthread_mutex_lock(&forks[high]);
  eaten[me]++;
  pthread_mutex_unlock(&forks[high]);
  pthread_mutex_unlock(&forks[low]);
  return 0;
}

int main(void) {
  pthread_t t[4];
  for (long i = 0; i < 4; i++)
    pthread_create(&t[i], 0, eat, (void *)i);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], 0);
}
