// Two choices each in two threads that share nothing: 2^4 executions.
// expect optimal: executions 16, blocked 0
#include <heddle.h>
#include <pthread.h>

static void *chooser(void *unused) {
  (void)unused;
  heddle_choose(2);
  heddle_choose(2);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, chooser, 0);
  chooser(0);
  pthread_join(t, 0);
}
