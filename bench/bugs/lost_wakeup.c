// An event counter: a sleeper counts itself after it has looked, so that the waker
// may see none and wake none.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
static atomic_int items, sleepers, served[3];
static sem_t bell;
static void *consumer(void *unused) {
  for (int i = 0; i < 3; i++) served[i]++;
  while (!items) {
    sleepers++;
    sem_wait(&bell);
  }
  items--;
  return unused;
}
static void *producer(void *unused) {
  for (int i = 0; i < 3; i++) served[i] = served[(i + 1) % 3];
  items++;
  if (sleepers) { sleepers--; sem_post(&bell); }
  return unused;
}
int main(void) {
  pthread_t c, p;
  sem_init(&bell, 0, 0);
  pthread_create(&c, 0, consumer, 0);
  pthread_create(&p, 0, producer, 0);
  for (int i = 0; i < 3; i++) served[i] = 7;
  pthread_join(c, 0);
  pthread_join(p, 0);
}
