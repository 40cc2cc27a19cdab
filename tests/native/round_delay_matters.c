// The delay between two looks does say something if it is used behind the loop, or
// if what is done meanwhile is.  The delays are 1, 2 and 4; the other loop flips a
// bit once, twice and so on.
// expect output "delay 1, bit 0\n"
// expect output "delay 2, bit 0\n"
// expect output "delay 4, bit 0\n"
// expect output "delay 1, bit 1\n"
// expect output "delay 2, bit 1\n"
// expect output "delay 4, bit 1\n"
// algorithms dpor source optimal unfold
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int go;
static int used, bit;

static void *uses(void *unused) {
  int delay = 1;
  while (!go) {
    for (int i = 0; i < delay; i++)
      sched_yield();
    if (delay < 4)
      delay *= 2;
  }
  used = delay;
  return unused;
}

static void *flips(void *unused) {
  int flipped = 0, delay = 1;
  while (!go) {
    for (int i = 0; i < delay; i++)
      flipped = !flipped;
    if (delay < 4)
      delay++;
  }
  bit = flipped;
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, uses, 0);
  pthread_create(&t[1], 0, flips, 0);
  go = 1;
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  printf("delay %d, bit %d\n", used, bit);
}
