// Cancellation is not supported; saying how one would like it is.
// expect refused pthread_cancel
#include <pthread.h>

int main(void) {
  int old;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old);
  pthread_testcancel();
  pthread_cancel(pthread_self());
}
