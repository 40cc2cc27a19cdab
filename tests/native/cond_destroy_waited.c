// A condition variable is destroyed while a thread waits on it.  If it is
// destroyed first, the wait uses a destroyed one.
// expect error misuse
// expect message that T1 waiter waits on
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *waiter(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&cond, &mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waiter, 0);
  pthread_cond_destroy(&cond); // expect misuse here
}
