// dprintf to a socket, a pipe and a copy of the standard output stream.
// expect output "a line\n"
// expect optimal: executions 1, blocked 0
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void *answer(void *unused) {
  char line[20] = "";
  assert(read(ends[1], line, sizeof line) == 3 && !strcmp(line, "4 x"));
  assert(dprintf(ends[1], "%s", "") == 0 && dprintf(ends[1], "ok") == 2);
  return unused;
}

int main(void) {
  char line[20];
  pthread_t thread;
  assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
  pthread_create(&thread, 0, answer, 0);
  assert(dprintf(ends[0], "%d %c", 4, 'x') == 3);
  assert(read(ends[0], line, sizeof line) == 2);
  pthread_join(thread, 0);
  assert(dprintf(dup(1), "a %s\n", "line") == 7);
}
