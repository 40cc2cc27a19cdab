// Two threads set one byte each, one swaps both if the high one is set and the
// low one is not.  It fails after the low byte is set.  Whether it succeeds if
// it comes before that depends on the other thread, too: the state before the
// low byte was set does not tell.  Both threads meet the swap, and not each
// other: 2 * 2 traces.
// expect output "fails\n"
// expect output "succeeds\n"
// expect optimal: executions 4, blocked 0
// expect observers: executions 4, blocked 0
// expect unfold: executions 4, blocked 0
// expect source: executions 4
// expect dc: executions 4
// options --races=off
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static union {
  _Atomic uint16_t both;
  volatile uint8_t byte[2];
} x;

static void *set(void *which) {
  *(volatile uint8_t *)which = 1;
  return 0;
}

static void *swap(void *unused) {
  uint16_t expected = 0x0100;
  (void)unused;
  return atomic_compare_exchange_strong(&x.both, &expected, 0x0202) ? "succeeds"
                                                                    : "fails";
}

int main(void) {
  pthread_t low, high, swapper;
  void *result;
  pthread_create(&low, 0, set, (void *)&x.byte[0]);
  pthread_create(&high, 0, set, (void *)&x.byte[1]);
  pthread_create(&swapper, 0, swap, 0);
  pthread_join(low, 0);
  pthread_join(high, 0);
  pthread_join(swapper, &result);
  printf("%s\n", (char *)result);
}
