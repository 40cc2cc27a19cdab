// A server that accepts one connection too few: the other client waits for an
// answer until the server closes, and is told.
// algorithms source optimal observers unfold
// expect output ""
// expect output "r"
// expect output "a"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_un at = {AF_UNIX, "\0heddle"};

static void *ask(void *unused) {
  char byte = 0;
  int s = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(s, (struct sockaddr *)&at, 9))
    return unused;
  ssize_t got = recv(s, &byte, 1, 0);
  printf(got == 1 ? "a" : errno == ECONNRESET ? "r" : "e");
  return unused;
}

int main(void) {
  pthread_t client;
  int l = socket(AF_UNIX, SOCK_STREAM, 0), s;
  if (bind(l, (struct sockaddr *)&at, 9) || listen(l, 1))
    return 1;
  pthread_create(&client, 0, ask, 0);
  int other = socket(AF_UNIX, SOCK_STREAM, 0);
  connect(other, (struct sockaddr *)&at, 9);
  s = accept(l, 0, 0);
  write(s, "x", 1);
  close(l);
  close(other);
  pthread_join(client, 0);
}
