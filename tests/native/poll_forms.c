// What poll, select and epoll tell is what the real calls tell.
// expect all: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

static short ask(int file, short events) {
  struct pollfd one = {file, events, 77};
  int number = poll(&one, 1, 0);
  assert(number == (one.revents != 0));
  return one.revents;
}

static void pipes(void) {
  int ends[2];
  char byte;
  assert(!pipe(ends));
  assert(ask(ends[0], POLLIN) == 0 && ask(ends[1], POLLOUT) == POLLOUT);
  assert(write(ends[1], "x", 1) == 1 && ask(ends[0], POLLIN) == POLLIN);
  assert(!close(ends[1]) && ask(ends[0], POLLIN) == (POLLIN | POLLHUP));
  assert(read(ends[0], &byte, 1) == 1 && ask(ends[0], POLLIN) == POLLHUP);
  assert(!close(ends[0]) && ask(ends[0], POLLIN) == POLLNVAL);
  assert(ask(-1, POLLIN) == 0);
  assert(!pipe(ends) && !close(ends[0]));
  assert(ask(ends[1], POLLOUT) == (POLLOUT | POLLERR) && !close(ends[1]));
}

static void sockets(void) {
  int pair[2];
  assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
  assert(ask(pair[0], POLLIN | POLLOUT) == POLLOUT);
  assert(write(pair[1], "x", 1) == 1);
  assert(ask(pair[0], POLLIN | POLLOUT) == (POLLIN | POLLOUT));
  assert(!close(pair[1]));
  assert(ask(pair[0], POLLIN | POLLOUT) == (POLLIN | POLLOUT | POLLHUP));
  assert(!close(pair[0]));
}

static void sets(void) {
  int ends[2];
  fd_set read_set, write_set;
  struct timeval none = {0};
  assert(!pipe(ends));
  FD_ZERO(&read_set);
  FD_ZERO(&write_set);
  FD_SET(ends[0], &read_set);
  FD_SET(ends[1], &write_set);
  assert(select(ends[1] + 1, &read_set, &write_set, 0, &none) == 1);
  assert(!FD_ISSET(ends[0], &read_set) && FD_ISSET(ends[1], &write_set));
  assert(!close(ends[0]) && !close(ends[1]));
  FD_SET(ends[0], &read_set);
  assert(select(ends[0] + 1, &read_set, 0, 0, &none) == -1 && errno == EBADF);
}

static void interests(void) {
  int ends[2], epoll = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = 5}, got[3];
  assert(!pipe(ends) && !epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event));
  assert(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event) == -1);
  assert(errno == EEXIST && epoll_wait(epoll, got, 3, 0) == 0);
  assert(write(ends[1], "x", 1) == 1 && epoll_wait(epoll, got, 3, -1) == 1);
  assert(got[0].events == EPOLLIN && got[0].data.u32 == 5);
  assert(!epoll_ctl(epoll, EPOLL_CTL_DEL, ends[0], 0));
  assert(epoll_ctl(epoll, EPOLL_CTL_MOD, ends[0], &event) == -1);
  assert(errno == ENOENT && epoll_wait(epoll, got, 3, 0) == 0);
  assert(epoll_wait(epoll, got, 0, 0) == -1 && errno == EINVAL);
  assert(epoll_wait(ends[0], got, 3, 0) == -1 && errno == EINVAL);
  int file = open("/dev/null", O_RDONLY);
  assert(epoll_ctl(epoll, EPOLL_CTL_ADD, file, &event) == -1);
  assert(errno == EPERM);
}

int main(void) {
  pipes();
  sockets();
  sets();
  interests();
}
