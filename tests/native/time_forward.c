// Time does not run backwards from one thread to the next, whatever orders
// them: creation, join, a mutex, an atomic variable, a condition variable, a
// barrier, a semaphore.  It is no event to ask for it.
// expect safe
// algorithms source optimal observers cs optimal-cs optimal-cs-ob unfold dc
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int64_t later(void) {
  sleep(5);
  return now();
}

static int64_t at_start, at_store, at_unlock, at_signal, at_barrier, at_post,
    at_end;
static atomic_int stored, swapped;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t sem;
static int signalled;

static void *ahead(void *unused) {
  (void)unused;
  assert(now() > at_start);
  at_store = later();
  atomic_store(&stored, 1);
  at_unlock = later();
  pthread_mutex_lock(&mutex);
  signalled = 1;
  at_signal = later();
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&mutex);
  at_barrier = later();
  pthread_barrier_wait(&barrier);
  at_post = later();
  sem_post(&sem);
  at_end = later();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&barrier, 0, 2);
  sem_init(&sem, 0, 0);
  at_start = later();
  pthread_create(&thread, 0, ahead, 0);
  if (atomic_load(&stored))
    assert(now() > at_store);
  pthread_mutex_lock(&mutex);
  while (!signalled)
    pthread_cond_wait(&cond, &mutex);
  assert(now() > at_signal && at_signal > at_unlock);
  pthread_mutex_unlock(&mutex);
  pthread_barrier_wait(&barrier);
  assert(now() > at_barrier);
  sem_wait(&sem);
  assert(now() > at_post);
  pthread_join(thread, 0);
  assert(now() > at_end);
}
