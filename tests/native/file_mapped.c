// mmap of a file gives a copy; of no file, zeros.
// expect all: executions 1
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
  char path[] = "/tmp/heddle-test-XXXXXX";
  int file = mkstemp(path);
  unlink(path);
  write(file, "text", 4);
  char *map = mmap(0, 4, PROT_READ, MAP_PRIVATE, file, 0);
  assert(map != MAP_FAILED && !memcmp(map, "text\0", 5) && !munmap(map, 4));
  char *own = mmap(0, 5000, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(own != MAP_FAILED && !own[4999]);
  own[4999] = 1;
  assert(!munmap(own, 5000));
  assert(mmap(0, 0, PROT_READ, MAP_PRIVATE, file, 0) == MAP_FAILED);
  assert(errno == EINVAL);
  assert(mmap(0, 4, PROT_READ, MAP_PRIVATE, 77, 0) == MAP_FAILED);
  assert(errno == EBADF);
}
