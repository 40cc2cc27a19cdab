// Threads that hold a lock and try the next one, and give theirs back if that fails, in a
// ring: the rounds are in vain.  The order of the owners is all that differs: 3!.  Where
// each thread holds its lock and none gets the next, the execution is dropped: 1.
// expect optimal: executions 6, blocked 1
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

static void lock_both(pthread_mutex_t *a, pthread_mutex_t *b) {
  for (;;) {
    pthread_mutex_lock(a);
    if (!pthread_mutex_trylock(b))
      return;
    pthread_mutex_unlock(a);
    sched_yield();
  }
}

static void *run(void *number) {
  int i = (int)(long)number;
  pthread_mutex_t *a = &lock[i], *b = &lock[(i + 1) % THREADS];
  lock_both(a, b);
  assert(!owners++);
  owners--;
  pthread_mutex_unlock(b);
  pthread_mutex_unlock(a);
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
