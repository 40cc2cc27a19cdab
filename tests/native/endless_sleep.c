// Threads that sleep for ever: times that no thread asks for are no part of the
// state.
// algorithms stateful
// modes undo
// expect stateful: executions 0
// real no: it never ends
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *run(void *unused) {
  for (;;) {
    pthread_mutex_lock(&m);
    x = 1 - x;
    pthread_mutex_unlock(&m);
    usleep(100);
  }
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  run(0);
}
