// A call that waits looks in vain at most once before it waits, however many
// steps came before: the stores to `files` are steps of naive only.
// Counts: the write comes before the first look, or behind it.
// expect optimal: executions 2, blocked 0
// expect output "1"
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2];

static void *produce(void *unused) {
  write(ends[1], "x", 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pipe(ends);
  pthread_create(&thread, 0, produce, 0);
  struct pollfd files[2] = {{ends[0], POLLIN, 0}, {-1, POLLIN, 0}};
  printf("%d", poll(files, 2, -1));
  pthread_join(thread, 0);
}
