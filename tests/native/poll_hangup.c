// A thread in poll() that was woken in vain is woken again: the byte is read
// before it looks, and then the pipe is closed.
// Counts: naive.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *wait(void *unused) {
  struct pollfd file = {ends[0], POLLIN, 0};
  assert(poll(&file, 1, -1) == 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  char byte;
  pipe(ends);
  pthread_create(&thread, 0, wait, 0);
  write(ends[1], "x", 1);
  read(ends[0], &byte, 1);
  close(ends[1]);
  pthread_join(thread, 0);
}
