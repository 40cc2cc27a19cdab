/* A block is lost: no use of memory is wrong. */
#include <pthread.h>
#include <stdlib.h>

static int *block;

static void *fill(void *unused) {
  block = malloc(sizeof *block);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, fill, 0);
  pthread_join(t, 0);
  block = 0;
  return 0;
}
