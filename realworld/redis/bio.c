/* Redis' background jobs: main hands over JOBS objects to be freed by a thread
 * of bio.c, and waits until none is pending.  What bio.c needs of the rest of the
 * server stands here. */
#include "server.h"
#include "bio.h"

#include <assert.h>

#ifndef JOBS
#define JOBS 1
#endif

struct redisServer server;
void _serverLog(int level, const char *format, ...) { (void)level, (void)format; }
void _serverPanic(const char *file, int line, const char *text, ...) {
  (void)file, (void)line, (void)text;
  abort();
}
void makeThreadKillable(void) {}
void redisSetCpuAffinity(const char *list) { (void)list; }

static int freed;

static void release(void *arguments[]) {
  zfree(arguments[0]);
  freed++;
}

int main(void) {
  bioInit();
  for (int i = 0; i < JOBS; i++) bioCreateLazyFreeJob(release, 1, zmalloc(16));
  while (bioPendingJobsOfType(BIO_LAZY_FREE))
    bioWaitStepOfType(BIO_LAZY_FREE);
  assert(freed == JOBS);
}
