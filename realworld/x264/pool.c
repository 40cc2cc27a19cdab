/* x264's thread pool: main gives JOBS jobs to THREADS threads and waits for each;
 * then the pool is deleted. */
#include "common/common.h"

#include <assert.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef JOBS
#define JOBS 2
#endif

static int done[JOBS];

static void *job(void *argument) {
  int *place = argument;
  (*place)++;
  return place;
}

int main(void) {
  x264_threadpool_t *pool;
  assert(x264_threadpool_init(&pool, THREADS) == 0);
  for (int i = 0; i < JOBS; i++)
    x264_threadpool_run(pool, job, &done[i]);
  for (int i = 0; i < JOBS; i++) {
    assert(x264_threadpool_wait(pool, &done[i]) == &done[i]);
    assert(done[i] == 1);
  }
  x264_threadpool_delete(pool);
}
