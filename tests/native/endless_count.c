// A loop that counts never comes back to where it was.  Its thread is stopped,
// and the other one lets it go on in other executions.  (By hand: main reads
// x == 0 up to four times; the traces are those in which it then reads 3, and
// the one in which it is stopped.)
// options --loop-bound=3
// expect error assertion
// expect optimal: executions 5, blocked 0
// real no: the search is never complete
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *set(void *unused) {
  x = 3;
  return unused;
}

int main(void) {
  pthread_t thread;
  int count = 0;
  pthread_create(&thread, 0, set, 0);
  while (x < 3)
    count++;
  assert(count < 1); // expect assertion here
}
