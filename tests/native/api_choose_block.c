// What a block touches must follow from the state: a choice in it is refused
// (optimal-cs would lose outcomes of this program).
// expect refused a choice inside an atomic block or task: choose before it begins
#include <heddle.h>
#include <pthread.h>

static int x;

static void *pick(void *k) {
  heddle_atomic_begin();
  int c = (int)heddle_choose(3);
  if (c)
    x = x * 10 + c;
  heddle_atomic_end();
  return k;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, pick, 0);
  pick(0);
  pthread_join(t, 0);
}
