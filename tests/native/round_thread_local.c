// A barrier of atomics whose sense is a thread-local variable, used twice by 3 threads,
// with text handed to a function in the loop.  The order of arrivals is all that differs:
// 3! each time.
// expect optimal: executions 36, blocked 0
// expect source: executions 36, blocked 0
// algorithms dpor source optimal
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { THREADS = 3 };
static atomic_int missing = THREADS;
static atomic_bool sense;
static _Thread_local bool mine;

static __attribute__((noinline)) void say(const char *text) {
  (void)text;
}

static void meet(void) {
  mine = !mine;
  if (atomic_fetch_sub(&missing, 1) == 1) {
    atomic_store(&missing, THREADS);
    atomic_store(&sense, mine);
  } else {
    while (atomic_load(&sense) != mine)
      say("waiting");
  }
}

static void *run(void *unused) {
  meet();
  meet();
  return unused;
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, run, NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
  return 0;
}
