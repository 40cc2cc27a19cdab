// Two readers of a sequence lock, and one writer.  While the sequence is odd no reader
// gets away, whatever it reads on the way: it waits before it reads.  One leaves out the
// reads, and keeps the values of an earlier round that it never uses; the other does not.
// Each reads before or behind the write; blocked: docs/algorithms/waiting.md, seqlock-2-1.
// algorithms dpor source optimal
// expect optimal: executions 4, blocked 32
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sequence, a, b;

static void *write_both(void *unused) {
  int seen;
  do
    seen = sequence;
  while ((seen & 1) ||
         !atomic_compare_exchange_strong(&sequence, &seen, seen + 1));
  a = 1;
  b = 1;
  sequence = seen + 2;
  return unused;
}

static void *read_both(void *unused) {
  int before, x, y;
  do {
    before = sequence;
    x = a;
    y = b;
  } while ((before & 1) || sequence != before);
  assert(x == y);
  return unused;
}

static void *read_even(void *unused) {
  int before, x, y;
  do {
    before = sequence;
    if (before & 1)
      continue;
    x = a;
    y = b;
  } while ((before & 1) || sequence != before);
  assert(x == y);
  return unused;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, write_both, 0);
  pthread_create(&t[1], 0, read_both, 0);
  pthread_create(&t[2], 0, read_even, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
}
