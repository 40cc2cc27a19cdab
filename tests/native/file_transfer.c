// sendfile, preadv, pwritev, mremap, linkat and others do what Linux does.
// expect all: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void) {
  char path[] = "/tmp/heddle-test-XXXXXX", other[40], text[10] = "", *working;
  char a[] = "abc", b[] = "de";
  int file = mkostemp(path, O_CLOEXEC), ends[2];
  off_t place = 1;
  struct stat s;
  struct iovec ranges[] = {{a, 3}, {b, 2}};
  assert(file >= 0 && !pipe(ends));
  assert(pwritev(file, ranges, 2, 1) == 5 && lseek(file, 0, SEEK_CUR) == 0);
  assert(sendfile(ends[1], file, &place, 3) == 3 && place == 4);
  assert(read(ends[0], text, 9) == 3 && !strcmp(text, "abc"));
  assert(sendfile(ends[1], ends[0], 0, 3) == -1 && errno == EINVAL);
  assert(preadv(file, ranges, 2, 2) == 4 && !memcmp(a, "bcd", 3) && *b == 'e');
  assert(preadv(ends[0], ranges, 2, 0) == -1 && errno == ESPIPE);
  sprintf(other, "%s-2", path);
  assert(!linkat(AT_FDCWD, path, AT_FDCWD, other, 0));
  assert(!stat(other, &s) && s.st_nlink == 2 && s.st_size == 6);
  assert(!unlink(other) && !unlink(path) && !chdir("/tmp"));
  working = get_current_dir_name();
  assert(!strcmp(working, "/tmp"));
  free(working);
  char *map = mmap(0, 100, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  map[4095] = 'x';
  map = mremap(map, 100, 5000, MREMAP_MAYMOVE);
  assert(map[4095] == 'x' && !map[4999] && !mprotect(map, 5000, PROT_READ | PROT_WRITE));
  assert(!munmap(map, 5000));
}
