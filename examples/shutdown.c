/* A worker takes jobs from a queue until it is told to stop.
 *
 * The queue is protected by a mutex, the flag is atomic, the condition is
 * tested in a loop.  What could go wrong?
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int jobs;
static int finished;
static atomic_bool stopping;

static void *worker(void *unused) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    while (jobs == 0 && !stopping)
      pthread_cond_wait(&changed, &mutex);
    if (jobs == 0) {
      pthread_mutex_unlock(&mutex);
      return unused;
    }
    jobs--;
    finished++;
    pthread_mutex_unlock(&mutex);
  }
}

static void add_job(void) {
  pthread_mutex_lock(&mutex);
  jobs++;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
}

static void stop(void) {
  stopping = true;
  pthread_cond_broadcast(&changed);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  add_job();
  stop();
  pthread_join(thread, NULL);
  assert(finished == 1);
}
