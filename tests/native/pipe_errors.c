// Errors of pipes, eventfds and pairs of sockets are those of the real calls.
// expect all: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#define FAILS(call, number)  \
  do {                       \
    errno = 0;               \
    assert((call) == -1);    \
    assert(errno == number); \
  } while (0)

static char large[65536];

static void pipes(void) {
  int ends[2];
  char text[10];
  assert(!pipe2(ends, O_NONBLOCK | O_CLOEXEC));
  FAILS(read(ends[0], text, 1), EAGAIN);
  FAILS(read(ends[1], text, 1), EBADF);
  FAILS(write(ends[0], text, 1), EBADF);
  FAILS(lseek(ends[0], 0, SEEK_SET), ESPIPE);
  FAILS(pread(ends[0], text, 1, 0), ESPIPE);
  assert(write(ends[1], "abc", 3) == 3 && read(ends[0], text, 2) == 2);
  assert(!memcmp(text, "ab", 2) && read(ends[0], text, 9) == 1);
  assert(write(ends[1], large, sizeof large) == sizeof large);
  FAILS(write(ends[1], "x", 1), EAGAIN);
  assert(read(ends[0], large, sizeof large) == sizeof large);
  assert(!close(ends[1]) && read(ends[0], text, 1) == 0 && !close(ends[0]));
  FAILS(pipe2(ends, 12345), EINVAL);
}

static void events(void) {
  uint64_t value = 3;
  int event = eventfd(2, EFD_NONBLOCK);
  assert(write(event, &value, 8) == 8 && read(event, &value, 8) == 8);
  assert(value == 5);
  FAILS(read(event, &value, 8), EAGAIN);
  FAILS(read(event, &value, 4), EINVAL);
  value = UINT64_MAX;
  FAILS(write(event, &value, 8), EINVAL);
  assert(!close(event));
  event = eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK);
  assert(read(event, &value, 8) == 8 && value == 1 && !close(event));
}

static void sockets(void) {
  int pair[2];
  char text[10];
  assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
  assert(send(pair[0], "there", 5, 0) == 5 && write(pair[1], "back", 4) == 4);
  assert(recv(pair[1], text, 9, MSG_PEEK) == 5 && read(pair[1], text, 9) == 5);
  assert(!memcmp(text, "there", 5) && recv(pair[0], text, 9, 0) == 4);
  FAILS(recv(pair[0], text, 9, MSG_DONTWAIT), EAGAIN);
  assert(!shutdown(pair[0], SHUT_WR) && read(pair[1], text, 9) == 0);
  FAILS(send(pair[0], "x", 1, MSG_NOSIGNAL), EPIPE);
  assert(!close(pair[0]));
  FAILS(send(pair[1], "x", 1, MSG_NOSIGNAL), EPIPE);
  assert(!close(pair[1]));
  FAILS(shutdown(pair[1], SHUT_WR), EBADF);
}

int main(void) {
  pipes();
  events();
  sockets();
}
