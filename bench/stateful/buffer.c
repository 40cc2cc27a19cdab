// PRODUCERS put ITEMS items each into a buffer of SIZE places, CONSUMERS take as
// many out.
#include <assert.h>
#include <pthread.h>

#ifndef PRODUCERS
#define PRODUCERS 3
#endif
#ifndef CONSUMERS
#define CONSUMERS 3
#endif
#ifndef SIZE
#define SIZE 3
#endif
#ifndef ITEMS
#define ITEMS 1
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int count;

static void *produce(void *unused) {
  for (int i = 0; i < ITEMS; i++) {
    pthread_mutex_lock(&mutex);
    while (count == SIZE)
      pthread_cond_wait(&not_full, &mutex);
    count++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

static void *consume(void *unused) {
  for (int i = 0; i < ITEMS; i++) {
    pthread_mutex_lock(&mutex);
    while (count == 0)
      pthread_cond_wait(&not_empty, &mutex);
    count--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t threads[PRODUCERS + CONSUMERS];
  for (int i = 0; i < PRODUCERS + CONSUMERS; i++)
    pthread_create(&threads[i], 0, i < PRODUCERS ? produce : consume, 0);
  for (int i = 0; i < PRODUCERS + CONSUMERS; i++)
    pthread_join(threads[i], 0);
  assert(count == 0);
}
