/* OpenJPEG's thread pool: JOBS jobs are given to WORKERS threads; all have run
 * when opj_thread_pool_wait_completion returns. */
#include <assert.h>
#include <stddef.h>

#include "opj_includes.h"

#ifndef WORKERS
#define WORKERS 1
#endif
#ifndef JOBS
#define JOBS 2
#endif

static int done[JOBS];

static void job(void *argument, opj_tls_t *tls) {
  int *place = argument;
  (void)tls;
  (*place)++;
}

int main(void) {
  opj_thread_pool_t *pool = opj_thread_pool_create(WORKERS);
  assert(pool);
  for (int i = 0; i < JOBS; i++)
    assert(opj_thread_pool_submit_job(pool, job, &done[i]));
  opj_thread_pool_wait_completion(pool, 0);
  for (int i = 0; i < JOBS; i++)
    assert(done[i] == 1);
  opj_thread_pool_destroy(pool);
}
