// The standard output can be a file for a while.
// expect all: executions 1
// expect output "first\nlast\n"
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  char path[] = "/tmp/heddle-test-XXXXXX", text[20] = "";
  int file = mkstemp(path), saved = dup(1);
  unlink(path);
  puts("first");
  fflush(stdout);
  dup2(file, 1);
  puts("second");
  fflush(stdout);
  dup2(saved, 1);
  assert(pread(file, text, sizeof text, 0) == 7);
  puts("last");
}
