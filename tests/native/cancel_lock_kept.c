// A thread that is cancelled and has no cleanup handler leaves its mutex locked.
// expect error deadlock
// algorithms naive source optimal observers cs optimal-cs optimal-cs-ob unfold stateful
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *works(void *unused) {
  pthread_mutex_lock(&m);
  pthread_testcancel();
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, works, NULL);
  pthread_cancel(t);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
}
