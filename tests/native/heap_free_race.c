// free writes the whole block: a read that nothing orders with it is a race,
// also in the execution in which it comes first.
// expect error memory
// expect error race
// options --races=error
#include <pthread.h>
#include <stdlib.h>

static void *reader(void *block) {
  return ((char *)block)[63] ? block : 0;
}

int main(void) {
  pthread_t thread;
  char *block = calloc(64, 1);
  pthread_create(&thread, 0, reader, block);
  free(block);
  pthread_join(thread, 0);
}
