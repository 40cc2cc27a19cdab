#include <pthread.h>
#include <semaphore.h>

static sem_t slots, items;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *produce(void *unused) {
  for (int i = 0; i < 2; i++) {
    sem_wait(&slots);
    pthread_mutex_lock(&m);
    count++;
    pthread_mutex_unlock(&m);
    sem_post(&items);
  }
  return unused;
}

static void *consume(void *unused) {
  for (int i = 0; i < 2; i++) {
    sem_wait(&items);
    pthread_mutex_lock(&m);
    count--;
    pthread_mutex_unlock(&m);
    sem_post(&slots);
  }
  return unused;
}

int main(void) {
  pthread_t t[4];
  sem_init(&slots, 0, 2);
  sem_init(&items, 0, 0);
  for (int i = 0; i < 4; i++)
    pthread_create(&t[i], 0, i < 2 ? produce : consume, 0);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], 0);
}
