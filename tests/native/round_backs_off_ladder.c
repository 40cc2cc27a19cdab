// Threads that take one lock and try two more, each in another order, and give back what
// they have if a try fails: the rounds are in vain.  The order of the owners is all that
// differs: 3!.  Executions in which threads hold what others try are dropped.
// expect optimal: executions 6
// algorithms dpor source optimal unfold
// waits for several places
#include <assert.h>
#include <pthread.h>
#include <sched.h>

enum { THREADS = 3 };
static pthread_mutex_t lock[THREADS] = {
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
};
static int owners;

static void lock_all(pthread_mutex_t *a, pthread_mutex_t *b,
                     pthread_mutex_t *c) {
  for (;;) {
    pthread_mutex_lock(a);
    if (!pthread_mutex_trylock(b)) {
      if (!pthread_mutex_trylock(c))
        return;
      pthread_mutex_unlock(b);
    }
    pthread_mutex_unlock(a);
    sched_yield();
  }
}

static void *run(void *number) {
  int i = (int)(long)number;
  lock_all(&lock[i], &lock[(i + 1) % THREADS], &lock[(i + 2) % THREADS]);
  assert(!owners++);
  owners--;
  for (int k = 0; k < THREADS; k++)
    pthread_mutex_unlock(&lock[k]);
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, run, (void *)(long)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
  return 0;
}
