// Streams on files behave as those of the C library.
// expect all: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/heddle-test-XXXXXX", text[9000];

static off_t size_of(const char *path) {
  struct stat s;
  return stat(path, &s) ? -1 : s.st_size;
}

static void write_and_read(void) {
  FILE *file = fopen("a", "w");
  assert(file && fileno(file) >= 3);
  assert(fprintf(file, "%d %s\n", 12, "words") == 9);
  assert(size_of("a") == 0); /* it is in the buffer */
  assert(!fflush(file) && size_of("a") == 9);
  assert(fputs("more", file) >= 0 && fputc('\n', file) == '\n');
  assert(ftell(file) == 14 && size_of("a") == 9);
  assert(fgetc(file) == EOF && ferror(file) && errno == EBADF);
  clearerr(file);
  assert(!ferror(file) && !fclose(file) && size_of("a") == 14);

  file = fopen("a", "r");
  assert(fgets(text, sizeof text, file) && !strcmp(text, "12 words\n"));
  assert(ftell(file) == 9 && lseek(fileno(file), 0, SEEK_CUR) == 14);
  assert(getc(file) == 'm' && ungetc('M', file) == 'M' && ftell(file) == 9);
  assert(fgets(text, 3, file) && !strcmp(text, "Mo"));
  assert(fread(text, 2, 10, file) == 1 && !memcmp(text, "re\n", 3));
  assert(feof(file) && getc(file) == EOF && !ferror(file));
  assert(!fseek(file, -5, SEEK_END) && !feof(file) && getc(file) == 'm');
  assert(fseek(file, -1, SEEK_SET) == -1 && errno == EINVAL);
  rewind(file);
  assert(ftell(file) == 0 && getc(file) == '1' && !fclose(file));
}

static void update(void) {
  FILE *file = fopen("a", "r+");
  assert(getc(file) == '1' && !fseek(file, 0, SEEK_CUR));
  assert(fputc('3', file) == '3' && !fseek(file, 0, SEEK_SET));
  assert(fgets(text, 4, file) && !strcmp(text, "13 ") && !fclose(file));
  file = fopen("a", "a+");
  assert(fputs("end", file) >= 0 && ftell(file) == 17);
  rewind(file);
  assert(getc(file) == '1' && !fclose(file) && size_of("a") == 17);
}

static void lines(void) {
  char *line = 0;
  size_t room = 0;
  FILE *file = fopen("a", "r");
  assert(getline(&line, &room, file) == 9 && !strcmp(line, "13 words\n"));
  assert(room >= 10 && getdelim(&line, &room, 'r', file) == 3);
  assert(!strcmp(line, "mor") && getline(&line, &room, file) == 2);
  assert(getline(&line, &room, file) == 3 && !strcmp(line, "end"));
  assert(getline(&line, &room, file) == -1 && feof(file));
  free(line);
  assert(!fclose(file));
}

static void large(void) {
  memset(text, 'x', sizeof text);
  FILE *file = fopen("b", "wx");
  assert(fwrite(text, 1, 4095, file) == 4095 && size_of("b") == 0);
  assert(fwrite(text, 1, 4905, file) == 4905 && size_of("b") == 8192);
  assert(!fclose(file) && size_of("b") == 9000);
  assert(!fopen("b", "wx") && errno == EEXIST);
  file = fopen("b", "r");
  assert(fread(text, 3, 4000, file) == 3000 && fgetc(file) == EOF);
  assert(!fclose(file));
}

static void unusual(void) {
  char *block;
  size_t size;
  assert(!fopen("c", "r") && errno == ENOENT);
  assert(!fopen("c", "q") && errno == EINVAL);
  int number = open("a", O_RDONLY);
  assert(!fdopen(number, "w") && errno == EINVAL);
  FILE *file = fdopen(number, "r");
  assert(fileno(file) == number && fgetc(file) == '1');
  assert((file = freopen("b", "r", file)) && fgetc(file) == 'x');
  assert(fileno(file) == number && !fclose(file) && close(number) == -1);
  file = tmpfile();
  assert(!setvbuf(file, 0, _IONBF, 0) && fputs("tmp", file) >= 0);
  rewind(file);
  assert(fgets(text, 9, file) && !strcmp(text, "tmp") && !fclose(file));
  file = open_memstream(&block, &size);
  fprintf(file, "%s %d", "block", 7);
  assert(!fclose(file) && size == 7 && !strcmp(block, "block 7"));
  file = fmemopen(block, size, "r");
  assert(fgets(text, 3, file) && !strcmp(text, "bl") && getc(file) == 'o');
  assert(!fclose(file));
  free(block);
}

int main(void) {
  mkdtemp(folder);
  chdir(folder);
  write_and_read();
  update();
  lines();
  large();
  unusual();
  assert(!remove("a") && !remove("b") && !chdir("/") && !remove(folder));
}
