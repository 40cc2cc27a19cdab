// Threads that give their lock back and try again, while the other lock is never free: a
// livelock, although one of them waits for the lock that the other gives back.
// expect error livelock
// algorithms dpor source optimal
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
  for (;;) {
    pthread_mutex_lock(&a);
    if (!pthread_mutex_trylock(&b))
      return unused;
    pthread_mutex_unlock(&a);
  }
}

int main(void) {
  pthread_t t[2];
  pthread_mutex_lock(&b);
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, run, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  return 0;
}
