// A reader and a writer under a mutex, for ever.
// algorithms stateful
// modes undo
// expect stateful: executions 0
// real no: it never ends
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *look(void *unused) {
  for (;;) {
    pthread_mutex_lock(&m);
    int a = x, b = y;
    assert(a == b);
    pthread_mutex_unlock(&m);
  }
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, look, 0);
  for (;;) {
    pthread_mutex_lock(&m);
    x = 1 - x;
    y = 1 - y;
    pthread_mutex_unlock(&m);
  }
}
