// One thread sets the low byte, one swaps both, one reads the high byte.  If
// the swap comes after the low byte is set, it fails and does not meet the
// reader; if it comes first, it writes what is read, before or after that.
// So there are 1 + 2 traces.
// expect output "fails, 0\n"
// expect output "succeeds, 0\n"
// expect output "succeeds, 1\n"
// expect optimal: executions 3, blocked 0
// expect observers: executions 3, blocked 0
// expect unfold: executions 3, blocked 0
// expect source: executions 3
// expect dc: executions 3
// options --races=off
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static union {
  _Atomic uint16_t both;
  volatile uint8_t byte[2];
} x;

static void *swap(void *unused) {
  uint16_t expected = 0;
  (void)unused;
  return atomic_compare_exchange_strong(&x.both, &expected, 0x0101) ? "succeeds"
                                                                    : "fails";
}

static void *set_low(void *unused) {
  x.byte[0] = 1;
  return unused;
}

static void *read_high(void *unused) {
  (void)unused;
  return x.byte[1] ? "1" : "0";
}

int main(void) {
  void *(*const start[])(void *) = {swap, set_low, read_high};
  pthread_t threads[3];
  void *result[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], 0, start[i], 0);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], &result[i]);
  printf("%s, %s\n", (char *)result[0], (char *)result[2]);
}
