// A thread that sleeps in poll() for ever is a deadlock, no livelock.
// expect error deadlock
// expect message T1 wait waits for one of several descriptors
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *wait(void *unused) {
  struct pollfd file = {ends[0], POLLIN, 0};
  poll(&file, 1, -1);
  return unused;
}

int main(void) {
  pthread_t thread;
  char byte;
  pipe(ends);
  pthread_create(&thread, 0, wait, 0);
  write(ends[1], "x", 1);
  read(ends[0], &byte, 1);
  pthread_join(thread, 0);
}
