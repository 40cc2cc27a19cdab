// glob and scandir see the files that the program made.
// expect all: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/heddle-test-XXXXXX";

static void make(const char *name) {
  close(open(name, O_CREAT | O_WRONLY, 0600));
}

static int is_text(const struct dirent *entry) {
  return strstr(entry->d_name, ".txt") != 0;
}

int main(void) {
  glob_t found = {.gl_offs = 1};
  struct dirent **list;
  assert(mkdtemp(folder) && !chdir(folder) && !mkdir("part", 0700));
  make("b.txt");
  make("a.txt");
  make(".c.txt");
  make("part/d.txt");
  assert(!glob("*.txt", GLOB_DOOFFS, 0, &found) && found.gl_pathc == 2);
  assert(!found.gl_pathv[0] && !strcmp(found.gl_pathv[1], "a.txt"));
  assert(!glob("*/?.txt", GLOB_DOOFFS | GLOB_APPEND, 0, &found) && found.gl_pathc == 3);
  assert(!strcmp(found.gl_pathv[3], "part/d.txt") && !found.gl_pathv[4]);
  globfree(&found);
  assert(glob("*.c", 0, 0, &found) == GLOB_NOMATCH);
  assert(!glob("*.c", GLOB_NOCHECK, 0, &found) && !strcmp(found.gl_pathv[0], "*.c"));
  globfree(&found);
  assert(!glob("p*", GLOB_MARK, 0, &found) && !strcmp(found.gl_pathv[0], "part/"));
  globfree(&found);
  assert(!glob("/t[m]p", 0, 0, &found) && !strcmp(found.gl_pathv[0], "/tmp"));
  globfree(&found);
  assert(scandir(".", &list, is_text, alphasort) == 3);
  assert(!strcmp(list[0]->d_name, ".c.txt") && !strcmp(list[2]->d_name, "b.txt"));
  for (int i = 0; i < 3; i++)
    free(list[i]);
  free(list);
  assert(scandir("none", &list, 0, 0) == -1 && errno == ENOENT);
  unlink("part/d.txt"), unlink("a.txt"), unlink("b.txt"), unlink(".c.txt");
  assert(!rmdir("part") && !chdir("/") && !rmdir(folder));
}
