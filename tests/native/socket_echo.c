// A server that polls, and a client: what it sends comes back.
// Counts: naive of a smaller program; here optimal against other algorithms.
// algorithms source optimal observers unfold
// expect output "x"
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in at = {.sin_family = AF_INET};

static void *ask(void *unused) {
  char byte = 'x';
  int s = socket(AF_INET, SOCK_STREAM, 0);
  assert(!connect(s, (struct sockaddr *)&at, sizeof at));
  assert(send(s, &byte, 1, 0) == 1 && recv(s, &byte, 1, 0) == 1);
  printf("%c", byte);
  close(s);
  return unused;
}

int main(void) {
  pthread_t client;
  socklen_t size = sizeof at;
  struct pollfd files[2] = {{.events = POLLIN}, {-1, POLLIN, 0}};
  char byte;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  files[0].fd = socket(AF_INET, SOCK_STREAM, 0);
  assert(!bind(files[0].fd, (struct sockaddr *)&at, size));
  assert(!listen(files[0].fd, 1));
  assert(!getsockname(files[0].fd, (struct sockaddr *)&at, &size));
  pthread_create(&client, 0, ask, 0);
  for (;;) {
    assert(poll(files, 2, -1) > 0);
    if (files[0].revents)
      files[1].fd = accept(files[0].fd, 0, 0);
    else if (read(files[1].fd, &byte, 1) == 1)
      assert(write(files[1].fd, &byte, 1) == 1);
    else
      break;
  }
  pthread_join(client, 0);
}
