// In glibc one thread waits for the other's read: not modelled.
// expect refused two threads use one stream on a pipe or socket at a time
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];
static FILE *file;

static void *get(void *unused) {
  getc(file);
  return unused;
}

int main(void) {
  pthread_t thread;
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  file = fdopen(ends[0], "r+");
  pthread_create(&thread, 0, get, 0);
  fputs("x", file);
  fflush(file);
  write(ends[1], "y", 1);
  pthread_join(thread, 0);
}
