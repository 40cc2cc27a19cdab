// A loop that reads a file to its end is not without end: rounds that read on
// hardly count for --loop-bound.  Two threads read files of their own.
// options --loop-bound=2
// expect optimal: executions 1, blocked 0
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static char text[] = "a line\nanother one\n";

static void *characters(void *unused) {
  FILE *file = fopen("characters", "r");
  int c, count = 0;
  while ((c = getc(file)) != EOF)
    count++;
  assert(count == sizeof text - 1);
  return unused;
}

static void *bytes(void *unused) {
  int file = open("bytes", O_RDONLY), count = 0;
  char byte;
  while (read(file, &byte, 1) == 1)
    count++;
  assert(count == sizeof text - 1);
  return unused;
}

static void make(const char *name) {
  FILE *file = fopen(name, "w");
  fputs(text, file);
  fclose(file);
}

int main(void) {
  pthread_t a, b;
  make("characters");
  make("bytes");
  pthread_create(&a, NULL, characters, NULL);
  pthread_join(a, NULL);
  pthread_create(&b, NULL, bytes, NULL);
  pthread_join(b, NULL);
}
