// A descriptor is closed twice.  In some executions another thread has got its
// number meanwhile, and loses its file.
// expect error assertion
// expect message write(file, "x", 1) == 1
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static void *use(void *unused) {
  int file = open("/dev/null", O_WRONLY);
  assert(write(file, "x", 1) == 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  int file = open("/dev/null", O_RDONLY);
  pthread_create(&thread, 0, use, 0);
  close(file);
  close(file);
  pthread_join(thread, 0);
}
