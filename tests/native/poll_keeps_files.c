// poll() stores what is ready, and nothing else: the descriptor that another
// thread changes meanwhile stays changed.
// expect output "-1"
// options --races=off
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static struct pollfd file = {.events = POLLIN};

static void *change(void *unused) {
  file.fd = -1;
  return unused;
}

int main(void) {
  pthread_t t;
  int ends[2];
  if (pipe(ends) || write(ends[1], "a", 1) != 1)
    return 1;
  file.fd = ends[0];
  pthread_create(&t, NULL, change, NULL);
  poll(&file, 1, 0);
  pthread_join(t, NULL);
  printf("%d", file.fd);
  return 0;
}
