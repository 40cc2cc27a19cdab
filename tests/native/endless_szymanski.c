// Szymanski's protocol without end, for two threads.
// algorithms stateful
// modes undo
// expect stateful: executions 0
// real no: it never ends
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { OUT, WANTS, WAITS, DOOR, IN };

static atomic_int flag[2];
static int data;

static bool some(int first, int end, int low, int high) {
  for (int i = first; i < end; i++) {
    int f = flag[i];
    if (low <= f && f <= high)
      return true;
  }
  return false;
}

static void *run(void *number) {
  int me = (int)(long)number;
  for (;;) {
    flag[me] = WANTS;
    while (some(0, 2, DOOR, IN))
      ;
    flag[me] = DOOR;
    if (some(0, 2, WANTS, WANTS)) {
      flag[me] = WAITS;
      while (!some(0, 2, IN, IN))
        ;
    }
    flag[me] = IN;
    while (some(0, me, WAITS, IN))
      ;
    data = me;
    assert(data == me);
    while (some(me + 1, 2, WAITS, DOOR))
      ;
    flag[me] = OUT;
  }
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, (void *)1L);
  run(0);
}
