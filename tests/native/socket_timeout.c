// A read with SO_RCVTIMEO gets what is there, or its time is over; a server that
// accepts with one, too.
// expect output "data\n"
// expect output "time\n"
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static int ends[2];

static void *send_one(void *unused) {
  assert(write(ends[1], "x", 1) == 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  char got;
  struct timeval soon = {.tv_usec = 20000};
  int server = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(bind(server, (struct sockaddr *)&(struct sockaddr){AF_UNIX, ""}, 2) ==
         0);
  assert(listen(server, 1) == 0);
  assert(setsockopt(server, SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof soon) == 0);
  assert(accept(server, NULL, NULL) == -1 && errno == EAGAIN);
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  assert(setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof soon) == 0);
  pthread_create(&thread, NULL, send_one, NULL);
  ssize_t size = recv(ends[0], &got, 1, 0);
  assert(size == 1 || errno == EAGAIN);
  pthread_join(thread, NULL);
  puts(size == 1 ? "data" : "time");
}
