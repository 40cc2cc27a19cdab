// A line on a pipe, small enough for naive.
// options --verify
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static FILE *in, *out;

static void *produce(void *unused) {
  fputs("one\n", out);
  assert(!fclose(out));
  return unused;
}

int main(void) {
  char line[20];
  int ends[2];
  pthread_t thread;
  assert(!pipe(ends));
  in = fdopen(ends[0], "r");
  out = fdopen(ends[1], "w");
  pthread_create(&thread, 0, produce, 0);
  assert(fgets(line, sizeof line, in) && !strcmp(line, "one\n"));
  pthread_join(thread, 0);
}
