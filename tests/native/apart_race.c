// --interfere=locks: a data race behind an unlock.  Only one order of the two
// accesses is explored, so the result is never "safe"; the race is told.
// expect incomplete
// options --interfere=locks
// algorithms naive source optimal cs optimal-cs
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *run(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  x = 1; // expect race with line 24
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  x = 2;
  pthread_join(t, 0);
}
