// Asynchronous cancellation is refused by name.
// expect refused PTHREAD_CANCEL_ASYNCHRONOUS
#include <pthread.h>

int main(void) {
  int old;
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
  pthread_cancel(pthread_self());
}
