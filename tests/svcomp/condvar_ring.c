extern void abort(void);
#include <assert.h>
void reach_error() { assert(0); }
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t empty = PTHREAD_COND_INITIALIZER, full = PTHREAD_COND_INITIALIZER;
int num;
#define N 2
void *producer(void *arg) {
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&m);
    while (num > 0) pthread_cond_wait(&empty, &m);
    num++;
    pthread_mutex_unlock(&m);
    pthread_cond_signal(&full);
  }
  return 0;
}
void *consumer(void *arg) {
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&m);
    while (num == 0) pthread_cond_wait(&full, &m);
    num--;
    pthread_mutex_unlock(&m);
    pthread_cond_signal(&empty);
  }
  return 0;
}
int main(void) {
  pthread_t t1, t2;
  num = 0;
  pthread_create(&t1, 0, producer, 0);
  pthread_create(&t2, 0, consumer, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  if (num != 0) { ERROR: {reach_error();abort();} ; }
  return 0;
}
