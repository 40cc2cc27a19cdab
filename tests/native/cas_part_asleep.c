// As cas_part_read, but the writer of the low byte reads another place first.  The swap
// is run first and sleeps where that look has been taken.  There its race with
// the setting of the low byte asks for the reader to come first: what the swap
// touched after the low byte was set does not show that.  1 + 2 traces.
// expect output "fails, 0\n"
// expect output "succeeds, 0\n"
// expect output "succeeds, 1\n"
// expect optimal: executions 3, blocked 0
// expect observers: executions 3, blocked 0
// expect unfold: executions 3, blocked 0
// expect source: executions 3
// expect dpor: executions 3
// expect dc: executions 3
// options --races=off
// algorithms naive dpor source optimal observers cs optimal-cs unfold dc
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static union {
  _Atomic uint16_t both;
  volatile uint8_t byte[2];
} x;
static atomic_int elsewhere;

static void *swap(void *unused) {
  uint16_t expected = 0;
  (void)unused;
  return atomic_compare_exchange_strong(&x.both, &expected, 0x0101) ? "succeeds"
                                                                    : "fails";
}

static void *set_low(void *unused) {
  atomic_load(&elsewhere);
  x.byte[0] = 1;
  return unused;
}

static void *read_high(void *unused) {
  (void)unused;
  return x.byte[1] ? "1" : "0";
}

int main(void) {
  void *(*const start[])(void *) = {swap, read_high, set_low};
  pthread_t threads[3];
  void *result[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], 0, start[i], 0);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], &result[i]);
  printf("%s, %s\n", (char *)result[0], (char *)result[1]);
}
