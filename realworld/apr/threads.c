/* APR: threads of a pool of memory share a counter under a mutex, wait for each
 * other by a condition variable, and start once. */
#include <apr_general.h>
#include <apr_thread_cond.h>
#include <apr_thread_mutex.h>
#include <apr_thread_proc.h>
#include <apr_thread_rwlock.h>
#include <assert.h>

#ifndef THREADS
#define THREADS 2
#endif

static apr_thread_mutex_t *mutex;
static apr_thread_cond_t *changed;
static apr_thread_once_t *once;
static int started, arrived;

static void start(void) {
  started++;
}

static void *APR_THREAD_FUNC worker(apr_thread_t *thread, void *argument) {
  apr_thread_once(once, start);
  assert(started == 1);
  apr_pool_t *pool = apr_thread_pool_get(thread);
  assert(apr_palloc(pool, 100));
  apr_thread_mutex_lock(mutex);
  arrived++;
  apr_thread_cond_signal(changed);
  apr_thread_mutex_unlock(mutex);
  apr_thread_exit(thread, APR_SUCCESS);
  return argument;
}

int main(void) {
  apr_pool_t *pool;
  apr_thread_t *thread[THREADS];
  apr_status_t status;
  apr_initialize();
  assert(apr_pool_create(&pool, NULL) == APR_SUCCESS);
  apr_thread_mutex_create(&mutex, APR_THREAD_MUTEX_DEFAULT, pool);
  apr_thread_cond_create(&changed, pool);
  apr_thread_once_init(&once, pool);
  for (int i = 0; i < THREADS; i++)
    assert(apr_thread_create(&thread[i], NULL, worker, NULL, pool) ==
           APR_SUCCESS);
  apr_thread_mutex_lock(mutex);
  while (arrived < THREADS)
    apr_thread_cond_wait(changed, mutex);
  apr_thread_mutex_unlock(mutex);
  for (int i = 0; i < THREADS; i++)
    assert(apr_thread_join(&status, thread[i]) == APR_SUCCESS);
  apr_pool_destroy(pool);
  apr_terminate();
}
