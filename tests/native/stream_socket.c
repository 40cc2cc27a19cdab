// A stream for both directions of a socket; closing it tells the other side.
// Counts: which of the two streams is opened first is seen by fflush(NULL).
// expect optimal: executions 2, blocked 0
// algorithms source optimal observers cs optimal-cs optimal-cs-ob unfold dc stateful
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void *answer(void *unused) {
  char line[20];
  FILE *file = fdopen(ends[1], "r+");
  while (fgets(line, sizeof line, file)) {
    fprintf(file, "> %s", line);
    assert(!fflush(file));
  }
  assert(feof(file) && !fclose(file));
  return unused;
}

int main(void) {
  char line[20];
  pthread_t thread;
  assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
  pthread_create(&thread, 0, answer, 0);
  FILE *file = fdopen(ends[0], "r+");
  setvbuf(file, 0, _IOLBF, 0);
  fputs("a line\n", file);
  assert(fgets(line, sizeof line, file) && !strcmp(line, "> a line\n"));
  assert(!fclose(file));
  pthread_join(thread, 0);
}
