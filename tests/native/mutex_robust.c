// Robust mutexes are not supported.
// expect refused pthread_mutexattr_setrobust
#define _GNU_SOURCE
#include <pthread.h>

int main(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT);
  pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_STALLED);
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
}
