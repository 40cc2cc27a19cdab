// Places in streams and directories, versions, wide tokens, queues, 48 bits.
// expect optimal: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <wchar.h>

static void places(void) {
  char line[8];
  fpos_t second;
  FILE *f = tmpfile();
  fputs("a\nb\nc\n", f);
  rewind(f);
  fgets(line, sizeof line, f);
  assert(!fgetpos(f, &second));
  fgets(line, sizeof line, f);
  fgets(line, sizeof line, f);
  assert(!strcmp(line, "c\n"));
  assert(!fsetpos(f, &second) && fgetc(f) == 'b');
  fclose(f);
}

static void directory(void) {
  char folder[] = "/tmp/newXXXXXX", name[32], other[64];
  assert(mkdtemp(folder));
  for (int i = 0; i < 2; i++) {
    snprintf(name, sizeof name, "%s/%c", folder, "ba"[i]);
    fclose(fopen(name, "w"));
  }
  snprintf(other, sizeof other, "%s/../%s", folder, folder + 5);
  DIR *d = opendir(other);
  struct dirent entry, *found;
  for (int i = 0; i < 3; i++)
    readdir(d);
  long place = telldir(d);
  assert(!readdir_r(d, &entry, &found) && found == &entry);
  assert(!readdir_r(d, &(struct dirent){0}, &found) && !found);
  seekdir(d, place);
  assert(!strcmp(readdir(d)->d_name, entry.d_name) && !readdir(d));
  closedir(d);
  strcat(other, "/./a");
  char *path = canonicalize_file_name(other);
  assert(!strcmp(path, name));
  free(path);
}

static void tokens(void) {
  wchar_t text[] = L" one  two", *rest;
  assert(!wcscmp(wcstok(text, L" ", &rest), L"one"));
  assert(!wcscmp(wcstok(NULL, L" ", &rest), L"two"));
  assert(!wcstok(NULL, L" ", &rest));
  assert(strverscmp("file9", "file10") < 0 && strverscmp("a", "a") == 0);
}

static void queue(void) {
  struct node {
    struct node *next, *previous;
  } a, b, c;
  insque(&a, NULL);
  insque(&c, &a);
  insque(&b, &a);
  assert(a.next == &b && b.next == &c && c.previous == &b && !c.next);
  remque(&b);
  assert(a.next == &c && c.previous == &a);
}

/* x = x * 0x5deece66d + 11; then x = 3 x + 1. */
static void numbers(void) {
  unsigned short state[3] = {1, 0, 0}, other[7] = {5, 0, 0, 3, 0, 0, 1};
  seed48(state);
  assert(lrand48() == 0x5deece678 >> 17);
  unsigned short *before = seed48(state);
  assert(before[0] == 0xe678 && before[1] == 0xdeec && before[2] == 5);
  lcong48(other);
  assert(lrand48() == 0 && seed48(state)[0] == 16);
}

int main(void) {
  places();
  directory();
  tokens();
  queue();
  numbers();
}
