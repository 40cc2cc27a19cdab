// The lock of Mellor-Crummey and Scott, N threads, each with a place of its own.
#include "common.h"

#ifndef N
#define N 5
#endif
struct place {
  _Atomic(struct place *) next;
  atomic_int waits;
};
static struct place places[N];
static _Atomic(struct place *) last;
static int count;

static void lock(struct place *me) {
  struct place *before = atomic_exchange(&last, me);
  if (!before)
    return;
  me->waits = 1;
  before->next = me;
  while (me->waits)
    ;
}

static void unlock(struct place *me) {
  struct place *expected = me, *next;
  if (!me->next && atomic_compare_exchange_strong(&last, &expected, 0))
    return;
  while (!(next = me->next))
    ;
  next->waits = 0;
}

static void *section(void *number) {
  struct place *me = &places[(long)number];
  lock(me);
  count++;
  unlock(me);
  return 0;
}

int main(void) {
  run_threads(N, section);
  assert(count == N);
}
