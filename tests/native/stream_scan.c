// fscanf takes from a stream what it scans, and no more.
// expect all: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int main(void) {
  int a, b;
  char word[20], *block, memory[] = "7 8";
  wchar_t wide[10];
  FILE *file = tmpfile();
  fputs("12 0x1f, word\nname=value\n5x", file);
  rewind(file);
  assert(fscanf(file, "%d %i ,", &a, &b) == 2 && a == 12 && b == 31);
  assert(ftell(file) == 8 && fgetc(file) == ' ');
  assert(fscanf(file, "%19s", word) == 1 && !strcmp(word, "word"));
  assert(fscanf(file, " %m[a-z]=%9ls", &block, wide) == 2);
  assert(!strcmp(block, "name") && !wcscmp(wide, L"value"));
  free(block);
  assert(fscanf(file, "%2$d%1$c", word, &a) == 2 && a == 5 && *word == 'x');
  assert(!feof(file) && fscanf(file, "%d", &a) == EOF && feof(file));
  rewind(file);
  for (a = 0; a < 30; a++)
    fprintf(file, "%200d\n", a);
  rewind(file);
  for (a = 0; fscanf(file, "%d", &b) == 1; a++)
    assert(a == b);
  assert(a == 30 && !fclose(file));
  file = fmemopen(memory, 3, "r");
  assert(fscanf(file, "%d%d%d", &a, &b, &b) == 2 && a == 7 && b == 8);
  assert(!fclose(file) && fscanf(stdin, "%d", &a) == EOF);
}
