// A barrier that is used again before all have left it: a fast thread changes what a
// slow one waits for.
#include <pthread.h>
#include <stdatomic.h>
enum { THREADS = 2, ROUNDS = 2 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static int inside;
static atomic_int work[3];
static void barrier(void) {
  pthread_mutex_lock(&lock);
  if (++inside == THREADS) pthread_cond_broadcast(&change);
  while (inside % THREADS) pthread_cond_wait(&change, &lock);
  pthread_mutex_unlock(&lock);
}
static void *worker(void *argument) {
  int me = *(int *)argument;
  for (int round = 0; round < ROUNDS; round++) {
    work[me]++;
    work[2] += work[1 - me];
    barrier();
  }
  return 0;
}
int main(void) {
  static int ids[THREADS] = {0, 1};
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&t[i], 0, worker, &ids[i]);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], 0);
}
