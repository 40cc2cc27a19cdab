// Memory that is given again after going back is filled, or cleared, again.
// expect optimal: executions 2, blocked 0
// options --races=off
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int flag;

static void *set(void *unused) {
  flag = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set, 0);
  int zero = flag;
  unsigned char *block = zero ? calloc(60, 1) : malloc(50);
  for (int i = 0; i < 50; i++)
    assert(block[i] == (zero ? 0 : 0xa5));
  memset(block, 7, 50);
  block = realloc(block, 90);
  assert(block[49] == 7 && block[89] == 0xa5);
  pthread_join(thread, 0);
}
