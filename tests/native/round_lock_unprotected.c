// A loop looks under a mutex at what is written without it: a section is not
// one look.  Between its two reads both places may be written.
// expect incomplete
// options --max-steps=40
// algorithms dpor source optimal
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y;

static void *waits(void *unused) {
  int a, b;
  do {
    pthread_mutex_lock(&m);
    a = x;
    b = y;
    pthread_mutex_unlock(&m);
  } while (!b);
  printf("%d %d\n", a, b);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waits, 0);
  x = 1;
  y = 1;
  pthread_join(t, 0);
}
