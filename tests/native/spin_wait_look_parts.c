// A loop that looks at parts of what is written, one of them twice.
// waits for several places
// expect safe
// expect output "0 0\n"
// expect output "0 1\n"
// expect output "1 1\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static union {
  _Atomic uint64_t whole;
  _Atomic uint32_t half[2];
  _Atomic uint8_t byte[8];
} x;

static void *change(void *unused) {
  (void)unused;
  atomic_store(&x.whole, 0x0000000100000001u);
  atomic_store(&x.half[0], 0);
  return 0;
}

int main(void) {
  pthread_t t;
  uint32_t low;
  uint8_t high;
  pthread_create(&t, 0, change, 0);
  do {
    low = atomic_load(&x.half[0]);
    high = atomic_load(&x.byte[4]);
  } while (low != atomic_load(&x.half[0]));
  printf("%u %u\n", low, high);
  pthread_join(t, 0);
}
