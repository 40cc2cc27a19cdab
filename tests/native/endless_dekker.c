// Dekker's protocol without end: its states are finite.
// algorithms stateful
// modes undo
// expect stateful: executions 0
// real no: it never ends
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int data;

static void *run(void *number) {
  int me = (int)(long)number, other = 1 - me;
  for (;;) {
    wants[me] = 1;
    while (wants[other])
      if (turn != me) {
        wants[me] = 0;
        while (turn != me)
          ;
        wants[me] = 1;
      }
    data = me;
    assert(data == me);
    turn = other;
    wants[me] = 0;
  }
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, (void *)1L);
  run(0);
}
