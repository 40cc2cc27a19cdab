// Streams on a pipe: lines and numbers that another thread prints.  The reader
// fills its buffer after the first line was flushed, or when all is there.
// expect output "one 2 \n"
// algorithms source optimal observers cs optimal-cs optimal-cs-ob unfold dc stateful
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int ends[2];

static void *produce(void *unused) {
  FILE *out = fdopen(ends[1], "w");
  assert(fseek(out, 0, SEEK_SET) == -1);
  fprintf(out, "one\n%d", 1);
  assert(!fflush(out));
  fputs("2 \n", out);
  assert(!fclose(out));
  return unused;
}

int main(void) {
  char line[20];
  int number;
  pthread_t thread;
  assert(!pipe(ends));
  pthread_create(&thread, 0, produce, 0);
  FILE *in = fdopen(ends[0], "r");
  assert(fgets(line, sizeof line, in) && !strcmp(line, "one\n"));
  assert(fscanf(in, "%d", &number) == 1 && number == 12);
  line[3] = 0;
  printf("%s %d", line, number - 10);
  for (int c; (c = getc(in)) != EOF;)
    putchar(c);
  assert(feof(in) && !ferror(in) && getc(in) == EOF && !fclose(in));
  pthread_join(thread, 0);
}
