// A lock with a random, exponential back-off whose state the caller keeps.  Which
// numbers are drawn says nothing but how long a thread waits: 3!.
// expect optimal: executions 6, blocked 0
// expect source: executions 6, blocked 0
// algorithms dpor source optimal
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

struct back_off {
  unsigned limit, seed;
};

static atomic_int taken;
static int inside;

static void begin(struct back_off *b, unsigned seed) {
  b->limit = 1;
  b->seed = seed;
}

static void back_off(struct back_off *b) {
  usleep((unsigned)rand_r(&b->seed) % b->limit);
  if (b->limit < 1024)
    b->limit *= 2;
}

static void lock(struct back_off *b) {
  while (atomic_exchange(&taken, 1))
    back_off(b);
}

static void *run(void *seed) {
  struct back_off b;
  begin(&b, seed ? 2 : 1);
  lock(&b);
  inside++;
  atomic_store(&taken, 0);
  return seed;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, run, i ? t : 0);
  run(0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  return inside != 3;
}
