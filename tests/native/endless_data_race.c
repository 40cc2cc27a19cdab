// Every fourth round is without the lock: the data race is found though all
// rounds end in states that were there before.
// algorithms stateful
// modes undo
// expect stateful: executions 0
// real no: it never ends
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *change(void *unused) {
  for (int i = 0;; i = (i + 1) % 4) {
    if (i == 3)
      x = 1; // expect race with line 25
    pthread_mutex_lock(&m);
    x = 0;
    pthread_mutex_unlock(&m);
  }
  return unused;
}

static void look(void) {
  pthread_mutex_lock(&m);
  int now = x;
  (void)now;
  pthread_mutex_unlock(&m);
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, change, 0);
  for (;;)
    look();
}
