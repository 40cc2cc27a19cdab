// Two threads count in a file, without a lock.
// expect error assertion
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void *count(void *file) {
  char number = 0;
  pread(*(int *)file, &number, 1, 0);
  number++;
  pwrite(*(int *)file, &number, 1, 0);
  return 0;
}

int main(void) {
  char path[] = "/tmp/heddle-test-XXXXXX", number;
  pthread_t thread;
  int file = mkstemp(path), twin = dup(file);
  unlink(path);
  pthread_create(&thread, 0, count, &twin);
  count(&file);
  pthread_join(thread, 0);
  assert(pread(file, &number, 1, 0) == 1 && number == 2);
}
