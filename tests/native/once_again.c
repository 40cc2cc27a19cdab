// A thread that has entered a static pthread_once_t before knows that it is done: to
// enter again is no event, and a loop that does so waits for its flag alone.  Each
// waiter either finds the flag at once or enters; which of those that enter runs the
// routine: 1 + 1 + 1 + 2 executions.
// expect optimal: executions 5, blocked 0
// expect source: executions 5
// algorithms dpor source optimal
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int go;
static int runs;

static void routine(void) {
  runs++;
}

static void *waits(void *unused) {
  int rounds = 0;
  while (!go) {
    pthread_once(&once, routine);
    rounds = 1;
  }
  assert(!rounds || runs == 1);
  return unused;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, waits, NULL);
  go = 1;
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  return 0;
}
