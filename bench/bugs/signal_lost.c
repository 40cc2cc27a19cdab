// A flag that is set without the mutex: the signal may come before the wait.
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static atomic_int done, work[3];
static void *waiter(void *unused) {
  for (int i = 0; i < 3; i++) work[i]++;
  pthread_mutex_lock(&lock);
  while (!done) pthread_cond_wait(&change, &lock);
  pthread_mutex_unlock(&lock);
  return unused;
}
static void *setter(void *unused) {
  for (int i = 0; i < 3; i++) work[i] = work[(i + 1) % 3];
  done = 1;
  pthread_cond_signal(&change);
  return unused;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, waiter, 0);
  pthread_create(&t, 0, setter, 0);
  for (int i = 0; i < 3; i++) work[i] = 7;
  pthread_join(s, 0);
  pthread_join(t, 0);
}
