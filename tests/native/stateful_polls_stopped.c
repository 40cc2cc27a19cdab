// The thread that would help counts longer than --loop-bound allows, and does it
// where others see it: no livelock, but incomplete.
// expect incomplete
// options --loop-bound=10
// algorithms stateful optimal
// real no: it would take long
#include <stdatomic.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready;
static atomic_int tries;

static void *wait_for_ready(void *unused) {
  int now;
  do {
    pthread_mutex_lock(&m);
    now = ready;
    pthread_mutex_unlock(&m);
  } while (!now);
  return unused;
}

static void *help(void *unused) {
  while (atomic_fetch_add(&tries, 1) != 2000)
    ;
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, wait_for_ready, 0);
  pthread_create(&u, 0, help, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
