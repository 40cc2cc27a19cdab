// A thread may wake up without a signal, and may as well wait for ever: that
// nothing ever signals is still a deadlock.
// options --spurious=1
// expect error deadlock
#include <pthread.h>

int main(void) {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t c = PTHREAD_COND_INITIALIZER;
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
}
