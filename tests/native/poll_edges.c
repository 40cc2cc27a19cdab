// With EPOLLET each new piece of data is told once, also if the last one was not
// read; so a program reads until nothing is left.  Changing the interest tells
// anew.
// expect output "ab\n"
// algorithms optimal source observers stateful unfold pop
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>

static int ends[2];

static void *write_two(void *unused) {
  assert(write(ends[1], "a", 1) == 1);
  assert(write(ends[1], "b", 1) == 1);
  close(ends[1]);
  return unused;
}

int main(void) {
  pthread_t thread;
  char got[3] = "";
  size_t size = 0;
  int poll = epoll_create1(0);
  struct epoll_event e = {.events = EPOLLIN | EPOLLET};
  assert(pipe(ends) == 0);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  assert(epoll_ctl(poll, EPOLL_CTL_ADD, ends[0], &e) == 0);
  pthread_create(&thread, NULL, write_two, NULL);
  assert(epoll_wait(poll, &e, 1, -1) == 1);
  pthread_join(thread, NULL);
  assert(epoll_wait(poll, &e, 1, 0) >= 0); /* the rest, if it came since */
  assert(epoll_wait(poll, &e, 1, 0) == 0); /* unread, but told */
  e.events = EPOLLIN | EPOLLET;
  assert(epoll_ctl(poll, EPOLL_CTL_MOD, ends[0], &e) == 0);
  assert(epoll_wait(poll, &e, 1, 0) == 1 && (e.events & EPOLLHUP));
  while (read(ends[0], got + size, 1) == 1)
    size++;
  puts(got);
}
