// calloc after going back: what an earlier execution wrote is gone.
// expect optimal: executions 2, blocked 0
// options --races=off
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int flag;

static void *set(void *unused) {
  (void)unused;
  flag = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set, 0);
  size_t size = flag ? 40 : 60; // the same slot, used differently
  char *block = calloc(size, 1);
  for (size_t i = 0; i < size; i++)
    assert(block[i] == 0);
  memset(block, 0xee, size);
  block[3]++;
  free(block);
  pthread_join(thread, 0);
}
