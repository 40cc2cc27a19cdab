// A file of the disk is read as it is, and what the program changes in it is
// taken back with the execution.
// real no: it would change this file
// expect optimal: executions 2, blocked 0
// expect output "// A"
// expect output "## A"
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int file, other;

static void *change(void *unused) {
  assert(write(other, "##", 2) == 2);
  return unused;
}

int main(void) {
  char text[5] = "";
  struct stat before, after;
  pthread_t thread;
  file = open(__FILE__, O_RDONLY);
  other = open(__FILE__, O_RDWR);
  assert(other >= 0 && !fstat(file, &before) && before.st_size > 500);
  pthread_create(&thread, 0, change, 0);
  assert(pread(file, text, 4, 0) == 4);
  pthread_join(thread, 0);
  assert(!ftruncate(other, 3) && !fstat(file, &after));
  assert(after.st_size == 3 && after.st_ino == before.st_ino);
  printf("%s", text);
}
