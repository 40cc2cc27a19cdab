// A place that only rounds in vain read under the mutex, and that is written
// without it.  No event of the execution in which the loop ends by the other
// place has to do with that write.
// expect incomplete
// options --max-steps=40
// algorithms dpor source optimal
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int mode, x, y;

static void *chooses(void *unused) {
  pthread_mutex_lock(&m);
  y = 1;
  mode = 1;
  pthread_mutex_unlock(&m);
  return unused;
}

static void *waits(void *unused) {
  int seen, by;
  do {
    pthread_mutex_lock(&m);
    by = mode;
    seen = by ? y : x;
    pthread_mutex_unlock(&m);
  } while (!seen);
  printf("%d\n", by);
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, chooses, 0);
  pthread_create(&t[1], 0, waits, 0);
  x = 1;
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
}
