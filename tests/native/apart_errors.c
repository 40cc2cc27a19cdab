// --interfere=locks finds what is wrong behind a lock as ever: a failed
// assertion in one order of two sections, a use after free, a deadlock.
// expect error assertion
// expect error memory
// expect error deadlock
// expect message use after free
// options --interfere=locks
// algorithms naive source optimal cs optimal-cs
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t two = PTHREAD_MUTEX_INITIALIZER;
static int *shared, count;

static void *run(void *unused) {
  (void)unused;
  pthread_mutex_lock(&one);
  assert(count < 2);
  (*shared)++;
  pthread_mutex_lock(&two);
  pthread_mutex_unlock(&two);
  pthread_mutex_unlock(&one);
  return 0;
}

int main(void) {
  pthread_t t;
  shared = malloc(sizeof *shared);
  *shared = 0;
  pthread_create(&t, 0, run, 0);
  pthread_mutex_lock(&two);
  pthread_mutex_lock(&one);
  free(shared);
  pthread_mutex_unlock(&one);
  pthread_mutex_unlock(&two);
  pthread_mutex_lock(&one);
  count = 2;
  pthread_mutex_unlock(&one);
  pthread_join(t, 0);
}
