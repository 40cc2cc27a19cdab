/* libuv's threads: a mutex, a condition variable, a semaphore and a barrier
 * between main and THREADS threads. */
#include <assert.h>
#include <uv.h>

#ifndef THREADS
#define THREADS 2
#endif

static uv_mutex_t mutex;
static uv_cond_t changed;
static uv_sem_t sem;
static uv_barrier_t barrier;
static uv_once_t once = UV_ONCE_INIT;
static uv_key_t key;
static int ready, first;

static void start_once(void) {
  first++;
  uv_key_create(&key);
}

static void worker(void *argument) {
  uv_once(&once, start_once);
  uv_key_set(&key, argument);
  uv_mutex_lock(&mutex);
  ready++;
  uv_cond_signal(&changed);
  uv_mutex_unlock(&mutex);
  uv_barrier_wait(&barrier);
  assert(uv_key_get(&key) == argument && first == 1);
  uv_sem_post(&sem);
}

int main(void) {
  uv_thread_t thread[THREADS];
  uv_mutex_init(&mutex);
  uv_cond_init(&changed);
  uv_sem_init(&sem, 0);
  uv_barrier_init(&barrier, THREADS + 1);
  for (int i = 0; i < THREADS; i++)
    assert(uv_thread_create(&thread[i], worker, &thread[i]) == 0);
  uv_mutex_lock(&mutex);
  while (ready < THREADS) uv_cond_wait(&changed, &mutex);
  uv_mutex_unlock(&mutex);
  uv_barrier_wait(&barrier);
  for (int i = 0; i < THREADS; i++) uv_sem_wait(&sem);
  for (int i = 0; i < THREADS; i++) uv_thread_join(&thread[i]);
  uv_barrier_destroy(&barrier);
  uv_sem_destroy(&sem);
  uv_cond_destroy(&changed);
  uv_mutex_destroy(&mutex);
}
