// Accesses of every size, aligned and not; those that overlap are dependent:
// each of two writers may be the last one.
// expect optimal: executions 2
// options --races=off
// expect output "05060304\n"
// expect output "05060708\n"
#include <pthread.h>
#include <stdio.h>

static struct __attribute__((packed)) {
  char shift;
  union __attribute__((packed)) {
    char bytes[4];
    int word;
    short half;
  } u;
} packed;

static struct {
  double large;
  long word;
  short half;
} natural;

static void *half(void *unused) {
  (void)unused;
  packed.u.half = 0x0304;
  return 0;
}

int main(void) {
  pthread_t t;
  natural.large = 1;
  natural.word = natural.half = (short)natural.large;
  pthread_create(&t, 0, half, 0);
  packed.u.word = 0x05060708;
  pthread_join(t, 0);
  printf("%08x\n", packed.u.word);
}
