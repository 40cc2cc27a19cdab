// Writes of different sizes: a read of all observes a write for each half.  The
// low half is the initial one, A's or B's, the high one initial or B's, and B's low half
// comes with its high one: 4 ways to observe, and 3! orders.
// expect output "0 0\n"
// expect output "1 0\n"
// expect output "2 2\n"
// expect output "1 2\n"
// expect optimal: executions 6, blocked 0
// expect dc: executions 4
// options --races=off
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static union {
  uint64_t all;
  uint32_t half[2];
} x;
static uint64_t seen;

static void *a(void *unused) {
  x.half[0] = 1;
  return unused;
}

static void *b(void *unused) {
  x.all = 0x0000000200000002;
  return unused;
}

static void *reader(void *unused) {
  seen = x.all;
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, a, 0);
  pthread_create(&threads[1], 0, b, 0);
  pthread_create(&threads[2], 0, reader, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], 0);
  printf("%u %u\n", (unsigned)seen, (unsigned)(seen >> 32));
}
