// rand_r() reads and then stores its seed, and another thread stores it, too.
// expect output "0"
// expect output "1"
// options --races=off
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned seed = 1;

static void *draw(void *unused) {
  rand_r(&seed);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, draw, NULL);
  seed = 7;
  int kept = seed == 7;
  pthread_join(t, NULL);
  printf("%d", kept);
  return 0;
}
