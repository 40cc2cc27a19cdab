// An atomic block hands data on, before threads that go round for ever.
// algorithms stateful
// modes undo
// expect stateful: executions 0
// real no: it never ends
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static int x, handed;
static atomic_int turn;

static void *giver(void *unused) {
  x = 1;
  heddle_atomic_begin();
  handed = 1;
  heddle_atomic_end();
  for (;;)
    atomic_fetch_xor(&turn, 1);
  return unused;
}

static void *taker(void *unused) {
  for (int mine = 0;;) {
    heddle_atomic_begin();
    mine = handed;
    heddle_atomic_end();
    if (mine)
      x = 2;
    atomic_fetch_xor(&turn, 2);
  }
  return unused;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, giver, 0);
  pthread_create(&u, 0, taker, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
