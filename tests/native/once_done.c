// Which of four threads runs the routine: that is all.  Entries after the end of the
// routine have no order, whether a thread enters for the first time or again.
// algorithms dpor source optimal observers cs optimal-cs optimal-cs-ob unfold
// expect optimal: executions 4, blocked 0
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int runs;

static void routine(void) {
  runs++;
}

static void *enter(void *unused) {
  pthread_once(&once, routine);
  pthread_once(&once, routine);
  assert(runs == 1);
  return unused;
}

int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&t[i], 0, enter, 0);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], 0);
}
