// A mutex of the protocol PTHREAD_PRIO_PROTECT gives its ceiling back; others have none.
// algorithms naive optimal
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
  pthread_mutexattr_t a;
  pthread_mutex_t m, plain = PTHREAD_MUTEX_INITIALIZER;
  int ceiling = 0;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_PROTECT);
  pthread_mutexattr_setprioceiling(&a, 5);
  assert(!pthread_mutex_init(&m, &a));
  assert(!pthread_mutex_getprioceiling(&m, &ceiling) && ceiling == 5);
  assert(pthread_mutex_setprioceiling(&plain, 5, &ceiling) == EINVAL);
  assert(pthread_mutex_getprioceiling(&plain, &ceiling) == EINVAL);
  pthread_mutex_destroy(&m);
}
