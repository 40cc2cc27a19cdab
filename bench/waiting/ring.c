// One producer, one consumer, N items through a ring of 2 places.  Before an item the
// producer saw 1 or 2 free places, the consumer 1 or 2 items.
#include "common.h"

#ifndef N
#define N 8
#endif
enum { PLACES = 2 };
static atomic_int head, tail;
static int ring[PLACES];

static void put(int item) {
  int at = tail;
  while (at - head == PLACES)
    ;
  ring[at % PLACES] = item;
  tail = at + 1;
}

static int get(void) {
  int at = head;
  while (tail == at)
    ;
  int item = ring[at % PLACES];
  head = at + 1;
  return item;
}

static void *run(void *number) {
  for (int i = 0; i < N; i++)
    if (number)
      put(i);
    else
      assert(get() == i);
  return 0;
}

int main(void) {
  run_threads(2, run);
}
