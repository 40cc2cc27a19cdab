// What a thread chooses, and a fence, are no work: it looks under a lock for ever.
// expect error livelock
// expect message T1 wait_for_ready waits in a loop for a change of ready
// algorithms stateful
// modes undo
// real no: it never ends
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void *wait_for_ready(void *unused) {
  int now;
  do {
    pthread_mutex_lock(&m);
    now = ready;
    pthread_mutex_unlock(&m);
    if (heddle_choose(2))
      atomic_thread_fence(memory_order_seq_cst);
  } while (!now);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, wait_for_ready, 0);
  pthread_join(t, 0);
}
