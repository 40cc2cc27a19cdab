// Threads that sleep, join or wait for ever end when they are cancelled, and
// one that has disabled cancellation when it enables it and tests.
// real no: sleep() is replaced there, and no cancellation point
// algorithms naive source optimal observers cs optimal-cs optimal-cs-ob unfold stateful
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static void *sleeps(void *unused) {
  int old;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  pthread_testcancel();
  pthread_setcancelstate(old, NULL);
  for (;;)
    sleep(1);
  return unused;
}

static void *joins(void *thread) {
  pthread_join(*(pthread_t *)thread, NULL);
  return NULL;
}

int main(void) {
  pthread_t t, u;
  void *result;
  pthread_create(&t, NULL, sleeps, NULL);
  pthread_create(&u, NULL, joins, &t);
  pthread_cancel(u);
  pthread_join(u, &result);
  assert(result == PTHREAD_CANCELED);
  pthread_cancel(t);
  pthread_cancel(t);
  pthread_join(t, &result);
  assert(result == PTHREAD_CANCELED);
}
