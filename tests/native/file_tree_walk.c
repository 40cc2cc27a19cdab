// ftw and nftw visit what lies below a directory: as on real threads, but in alphabetical order.
// expect output "D0 d0:heddle-walk f1:a d1:b f2:c f2:c p1:b p0:heddle-walk -1 7\n"
// options --verify
// real no: the order of the entries of a folder is that of the file system
#define _GNU_SOURCE
#include <errno.h>
#include <ftw.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROOT "heddle-walk"

static int first(const char *path, const struct stat *s, int kind) {
  printf("%c%d ", kind == FTW_D ? 'D' : '?', (int)(s->st_size < 0 || strcmp(path, ROOT)));
  return 7;
}

static int entry(const char *path, const struct stat *s, int kind, struct FTW *f) {
  printf("%c%d:%s ", S_ISDIR(s->st_mode) == (kind == FTW_D) ? kind == FTW_D ? 'd' : 'f' : '?',
         f->level, f->level ? path + f->base : path);
  return 0;
}

static int after(const char *path, const struct stat *s, int kind, struct FTW *f) {
  (void)s;
  if (kind == FTW_DP || f->level == 2)
    printf("%c%d:%s ", kind == FTW_DP ? 'p' : 'f', f->level, f->level ? path + f->base : path);
  return remove(path);
}

int main(void) {
  mkdir(ROOT, 0700);
  mkdir(ROOT "/b", 0700);
  fclose(fopen(ROOT "/a", "w"));
  fclose(fopen(ROOT "/b/c", "w"));
  int seven = ftw(ROOT, first, 8);
  if (nftw(ROOT, entry, 8, FTW_PHYS) || nftw(ROOT "/", after, 8, FTW_PHYS | FTW_DEPTH))
    abort();
  printf("%d %d\n", nftw(ROOT, entry, 8, 0), seven);
}
