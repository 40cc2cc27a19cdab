// A thread reads from a pipe what another writes; the end of the writer is the
// end of the data.  The end comes before or after the first read.
// expect optimal: executions 2, blocked 0
// expect output "got 5\n"
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2], shared;

static void *produce(void *unused) {
  shared = 5; /* the pipe orders it */
  write(ends[1], "x", 1);
  close(ends[1]);
  return unused;
}

int main(void) {
  char byte;
  pthread_t thread;
  assert(!pipe(ends));
  pthread_create(&thread, 0, produce, 0);
  assert(read(ends[0], &byte, 1) == 1 && byte == 'x');
  printf("got %d\n", shared);
  assert(read(ends[0], &byte, 1) == 0);
  pthread_join(thread, 0);
}
