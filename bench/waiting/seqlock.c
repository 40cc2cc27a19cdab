// A sequence lock, R readers and W writers of one write each: the writers are ordered,
// and each reader is before, between or behind them: W! (W + 1)^R.
#include "common.h"

#ifndef R
#define R 2
#endif
#ifndef W
#define W 2
#endif
static atomic_int sequence, a, b;

static void write_both(int value) {
  int seen;
  do
    seen = sequence;
  while ((seen & 1) ||
         !atomic_compare_exchange_strong(&sequence, &seen, seen + 1));
  a = value;
  b = value;
  sequence = seen + 2;
}

static void read_both(void) {
  int before, x, y;
  do {
    before = sequence;
    x = a;
    y = b;
  } while ((before & 1) || sequence != before);
  assert(x == y);
}

static void *run(void *number) {
  if ((long)number < R)
    read_both();
  else
    write_both((int)(long)number);
  return 0;
}

int main(void) {
  run_threads(R + W, run);
}
