// WORKERS take JOBS jobs from a queue until it is empty.
#include <assert.h>
#include <pthread.h>

#ifndef WORKERS
#define WORKERS 4
#endif
#ifndef JOBS
#define JOBS 6
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int next, done[JOBS], finished;

static void *work(void *unused) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    int job = next < JOBS ? next++ : -1;
    pthread_mutex_unlock(&mutex);
    if (job < 0)
      return unused;
    done[job] = 1;
    pthread_mutex_lock(&mutex);
    finished++;
    pthread_mutex_unlock(&mutex);
  }
}

int main(void) {
  pthread_t threads[WORKERS];
  for (int i = 0; i < WORKERS; i++)
    pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < WORKERS; i++)
    pthread_join(threads[i], 0);
  assert(finished == JOBS);
}
