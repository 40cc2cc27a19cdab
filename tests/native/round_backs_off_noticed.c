// A thread that gives its lock back and tries again holds it in each round.  Another
// thread notices, by a trylock that fails: the rounds matter.
// options --loop-bound=3
// expect error assertion
// algorithms dpor source optimal
// real no: the search is never complete
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void *backs_off(void *unused) {
  for (;;) {
    pthread_mutex_lock(&a);
    if (!pthread_mutex_trylock(&b))
      break;
    pthread_mutex_unlock(&a);
  }
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return unused;
}

static void *notices(void *unused) {
  pthread_mutex_lock(&b);
  assert(!pthread_mutex_trylock(&a)); /* only a round in vain holds it */
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, backs_off, NULL);
  pthread_create(&t[1], NULL, notices, NULL);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  return 0;
}
