// A loop looks at a place of which two threads write a half each: these writes
// have no order to go back over.
// expect output "0 1 1\n"
// expect output "1 1 1\n"
// expect error livelock
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static union {
  _Atomic uint32_t whole;
  _Atomic uint16_t half[2];
} place;
static int seen;

static void *low(void *unused) {
  atomic_store(&place.half[0], 1);
  return unused;
}

static void *high(void *unused) {
  atomic_store(&place.half[1], 1);
  return unused;
}

static void *waits(void *unused) {
  uint32_t now;
  while ((now = atomic_load(&place.whole)) == 0x10001)
    ;
  seen = now == 1;
  return unused;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, low, 0);
  pthread_create(&t[1], 0, high, 0);
  pthread_create(&t[2], 0, waits, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  printf("%d %d %d\n", seen, place.half[0], place.half[1]);
}
