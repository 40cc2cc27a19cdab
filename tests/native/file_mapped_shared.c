// A mapping is a copy: a file that was mapped with MAP_SHARED cannot change.
// expect refused a change of a file that was mapped with MAP_SHARED is not supported
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static int file;

static void *change(void *unused) {
  (void)unused;
  pwrite(file, "x", 1, 0);
  return 0;
}

int main(void) {
  char path[] = "/tmp/heddle-test-XXXXXX";
  pthread_t thread;
  file = mkstemp(path);
  write(file, "text", 4);
  pthread_create(&thread, 0, change, 0);
  char *map = mmap(0, 4, PROT_READ, MAP_SHARED, file, 0);
  pthread_join(thread, 0);
  return map == MAP_FAILED;
}
