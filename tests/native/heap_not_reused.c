// A thread's addresses do not depend on what the others allocate and free, and
// freed memory does not come back.
// expect optimal: executions 1, blocked 0
// real no: freed memory is reused by other allocators
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static void *allocate(void *unused) {
  (void)unused;
  char *first = malloc(24);
  free(first);
  char *second = malloc(24);
  assert(first != second);
  free(second);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, allocate, 0);
  pthread_join(thread, 0);
  allocate(0);
}
