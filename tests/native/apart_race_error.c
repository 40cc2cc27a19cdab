// --interfere=locks: the first access of a thread, before it synchronises at
// all, races with what its creator does behind the creation.
// expect error race
// options --interfere=locks --races=error
// algorithms source optimal cs optimal-cs
// real no: the search ends at the data race
#include <pthread.h>

static int x;

static void *run(void *unused) {
  (void)unused;
  return x ? &x : 0; // expect race with line 19
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  x = 1;
  pthread_join(t, 0);
}
