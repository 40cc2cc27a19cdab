#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *count(void *unused) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t[5];
  for (int i = 0; i < 5; i++)
    pthread_create(&t[i], 0, count, 0);
  for (int i = 0; i < 5; i++)
    pthread_join(t[i], 0);
}
