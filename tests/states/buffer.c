#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t empty = PTHREAD_COND_INITIALIZER;
static int count;

static void *put(void *unused) {
  pthread_mutex_lock(&m);
  while (count == 1)
    pthread_cond_wait(&full, &m);
  count++;
  pthread_cond_signal(&empty);
  pthread_mutex_unlock(&m);
  return unused;
}

static void *take(void *unused) {
  pthread_mutex_lock(&m);
  while (count == 0)
    pthread_cond_wait(&empty, &m);
  count--;
  pthread_cond_signal(&full);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&t[i], 0, i < 2 ? put : take, 0);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], 0);
}
