// No file has extended attributes.  The results are 64 bits wide.
// real no: real file systems may have them
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <sys/xattr.h>

int main(void) {
  char to[8];
  long size = llistxattr("/", to, sizeof to);
  assert(size == -1 && errno == ENOTSUP);
  size = lgetxattr("/", "user.no", to, sizeof to);
  assert(size == -1 && errno == ENOTSUP);
  size = listxattr("/", to, sizeof to), assert(size == -1);
  size = getxattr("/", "user.no", to, sizeof to), assert(size == -1);
  size = fgetxattr(0, "user.no", to, sizeof to), assert(size == -1);
  assert(lsetxattr("/", "user.no", "x", 1, 0) == -1 && errno == ENOTSUP);
}
