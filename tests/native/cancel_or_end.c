// A join that is cancelled although the thread has ended: without the cancellation
// it waits for that end.  main may be cancelled before or after the thread ends.
// algorithms naive source optimal observers cs optimal-cs optimal-cs-ob unfold stateful
// expect safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_t _Atomic target;

static void *ends(void *result) {
  pthread_testcancel();
  return result;
}

static void *cancels(void *unused) {
  pthread_cancel(target);
  return unused;
}

int main(void) {
  pthread_t t, u;
  void *result;
  target = pthread_self();
  pthread_create(&u, NULL, cancels, NULL);
  pthread_create(&t, NULL, ends, &u);
  target = t;
  pthread_join(t, &result);
  assert(result);
}
