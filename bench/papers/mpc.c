/* MPC(P,W), producers and workers: what P producers have mixed together says
 * which of W workers each of them gives a request to.
 *
 * Paper 4, table 1; the counts are the paper's.  A producer mixes twice, and
 * asks for work once, after that. */
#include "common.h"

#ifndef P
#define P 2
#endif
#ifndef W
#define W 3
#endif

static pthread_mutex_t worker_lock[W];
static pthread_mutex_t mix_lock = PTHREAD_MUTEX_INITIALIZER;
static int requests[W];
static unsigned mix;

static void *work(void *argument) {
  int id = (int)(long)argument, done = 0;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&worker_lock[id]);
    if (requests[id] > 0) {
      requests[id]--;
      done++;
    }
    pthread_mutex_unlock(&worker_lock[id]);
  }
  assert(done <= P);
  return 0;
}

static void *produce(void *argument) {
  unsigned id = (unsigned)(long)argument, mixed = 0;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&mix_lock);
    mix = mix * P + id;
    mixed = mix;
    pthread_mutex_unlock(&mix_lock);
  }
  unsigned to = mixed % W;
  pthread_mutex_lock(&worker_lock[to]);
  requests[to]++;
  pthread_mutex_unlock(&worker_lock[to]);
  return 0;
}

int main(void) {
  pthread_t workers[W], producers[P];
  for (int id = 0; id < W; id++)
    pthread_mutex_init(&worker_lock[id], 0);
  start(workers, W, work, 0);
  start(producers, P, produce, 0);
}
