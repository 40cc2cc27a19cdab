// A thread looks under a lock for what is there for a moment only.  If it comes
// too late it looks for ever; there is an outcome, too.
// expect error livelock
// expect message T1 wait_for_ready waits in a loop for a change of ready
// options --keep-going --outcomes
// expect output "seen\n"
// algorithms naive source optimal observers unfold stateful
// real no: it may never end
#include <stdio.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void *wait_for_ready(void *unused) {
  int now;
  do {
    pthread_mutex_lock(&m);
    now = ready;
    pthread_mutex_unlock(&m);
  } while (!now);
  return unused;
}

static void set(int value) {
  pthread_mutex_lock(&m);
  ready = value;
  pthread_mutex_unlock(&m);
}

static void *help(void *unused) {
  set(1);
  set(0);
  return unused;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, wait_for_ready, 0);
  pthread_create(&u, 0, help, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  puts("seen");
}
