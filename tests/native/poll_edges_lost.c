// With EPOLLET what a program leaves unread is not told again: it waits for
// ever.
// expect error deadlock
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void *client(void *unused) {
  return write(ends[1], "four", 4) == 4 ? unused : NULL;
}

int main(void) {
  pthread_t thread;
  char two[2];
  ssize_t size = 0;
  int poll = epoll_create1(0);
  struct epoll_event e = {.events = EPOLLIN | EPOLLET};
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  epoll_ctl(poll, EPOLL_CTL_ADD, ends[0], &e);
  pthread_create(&thread, NULL, client, NULL);
  while (size < 4) {
    epoll_wait(poll, &e, 1, -1);
    size += read(ends[0], two, sizeof two);
  }
  pthread_join(thread, NULL);
}
