// What a pointer leads to is read where the source reads it, though it could be
// read in advance when the pointer is chosen.
// expect output "0 0\n"
// expect output "0 1\n"
// expect output "1 1\n"
// options --races=off
#include <pthread.h>
#include <stdio.h>

static int x, y, one = 1;

static void *write(void *unused) {
  (void)unused;
  x = 1;
  y = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  int own = 2, first, second;
  pthread_create(&t, 0, write, 0);
  int *p = one ? &x : &own;
  first = y;
  second = *p;
  printf("%d %d\n", first, second);
  pthread_join(t, 0);
}
