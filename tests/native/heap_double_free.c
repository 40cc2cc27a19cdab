// Two threads free the same block: the second one is wrong in both orders.
// expect error memory
// expect message double free
// expect optimal: executions 2, blocked 0
// options --races=off
#include <pthread.h>
#include <stdlib.h>

static void *release(void *block) {
  free(block);
  return 0;
}

int main(void) {
  pthread_t thread;
  char *block = malloc(100);
  pthread_create(&thread, 0, release, block);
  free(block);
  pthread_join(thread, 0);
}
