// One thread frees what the other reads: whichever comes first, the read of
// freed memory is found in one of the two orders.
// expect error memory
// expect message use after free
// expect optimal: executions 2, blocked 0
// options --races=off
#include <pthread.h>
#include <stdlib.h>

static int *shared, seen;

static void *reader(void *unused) {
  (void)unused;
  seen = shared[1]; // expect memory here
  return 0;
}

int main(void) {
  pthread_t thread;
  shared = malloc(8);
  shared[1] = 1;
  pthread_create(&thread, 0, reader, 0);
  free(shared);
  pthread_join(thread, 0);
}
