// Three threads fill 256 bytes each: the first two overlap in one byte, the third
// touches neither.  Two orders (theory).
// expect optimal: executions 2, blocked 0
// expect unfold: executions 2, blocked 0
// expect source: executions 2
// options --races=off
// algorithms source optimal unfold
#include <pthread.h>
#include <string.h>

static char bytes[767];

static void *fill(void *at) {
  memset(at, 1, 256);
  return 0;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, fill, bytes);
  pthread_create(&t[1], 0, fill, bytes + 255);
  pthread_create(&t[2], 0, fill, bytes + 511);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  return 0;
}
