/* writers(N), the program of paper 4, figure 1: N threads each write a variable
 * of their own, one counts to N-1, and one reads the counter and overwrites the
 * variable that it says.
 *
 * The counter has N values to be read, and for each the writer of that variable
 * comes before or after: 2N traces.  Source sets do not know which writer it
 * will be, and begin executions in vain: O(2^N) in the paper, about 1.5 N^2
 * here, because of the process that our `source` tries first where it may choose
 * (docs/algorithms/unfolding.md, "Figure 1").
 *
 * -DMUTEX: a mutex around each access, as the paper wants its programs, instead
 * of atomic accesses. */
#include "common.h"

#ifndef N
#define N 3
#endif

#ifdef MUTEX
static pthread_mutex_t counter_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t variable_lock[N];
static int counter, variable[N];
#define LOCK(m) pthread_mutex_lock(&(m))
#define UNLOCK(m) pthread_mutex_unlock(&(m))
#define GET(x) (x)
#define PUT(x, v) ((x) = (v))
#else
static atomic_int counter, variable[N];
#define LOCK(m) ((void)0)
#define UNLOCK(m) ((void)0)
#define GET(x) load(x)
#define PUT(x, v) store(x, v)
#endif

static void *writer(void *argument) {
  int id = (int)(long)argument;
  LOCK(variable_lock[id]);
  PUT(variable[id], 7 + id);
  UNLOCK(variable_lock[id]);
  return 0;
}

static void *count(void *argument) {
  for (int i = 1; i < N; i++) {
    LOCK(counter_lock);
    PUT(counter, i);
    UNLOCK(counter_lock);
  }
  return argument;
}

static void *master(void *argument) {
  LOCK(counter_lock);
  int i = GET(counter);
  UNLOCK(counter_lock);
  LOCK(variable_lock[i]);
  PUT(variable[i], 0);
  UNLOCK(variable_lock[i]);
  return argument;
}

int main(void) {
  pthread_t threads[N + 2];
#ifdef MUTEX
  for (int i = 0; i < N; i++)
    pthread_mutex_init(&variable_lock[i], 0);
#endif
  start(threads, N, writer, 0);
  start(&threads[N], 1, count, 0);
  start(&threads[N + 1], 1, master, 0);
  join(threads, N + 2);
}
