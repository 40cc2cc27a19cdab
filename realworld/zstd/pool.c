/* zstd's thread pool: JOBS jobs are given to THREADS workers; all are done when
 * the pool is joined. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#include "common/pool.h"

#ifndef THREADS
#define THREADS 2
#endif
#ifndef JOBS
#define JOBS 2
#endif

static int done[JOBS];

static void job(void *argument) {
  int *place = argument;
  (*place)++;
}

int main(void) {
  POOL_ctx *pool = POOL_create(THREADS, 1);
  assert(pool);
  for (int i = 0; i < JOBS; i++) POOL_add(pool, job, &done[i]);
#ifdef RESIZE
  assert(POOL_resize(pool, 1) == 0);
#endif
  POOL_joinJobs(pool);
  for (int i = 0; i < JOBS; i++) assert(done[i] == 1);
  POOL_free(pool);
}
