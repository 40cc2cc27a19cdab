// The time of a timer descriptor is over at any moment after it was set: before
// the other thread has written, between, or after.  One that was set anew tells
// nothing of the time before.
// expect output "time data\n"
// expect output "data time\n"
// algorithms optimal source observers stateful unfold pop
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int event;

static void *write_event(void *unused) {
  uint64_t one = 1;
  assert(write(event, &one, sizeof one) == sizeof one);
  return unused;
}

int main(void) {
  pthread_t thread;
  uint64_t number;
  int poll = epoll_create1(0), seen = 0;
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  struct itimerspec soon = {{0, 0}, {0, 1000000}}, off = {{0, 0}, {0, 0}};
  struct epoll_event e = {.events = EPOLLIN};
  char order[16] = "";
  event = eventfd(0, 0);
  e.data.fd = timer;
  epoll_ctl(poll, EPOLL_CTL_ADD, timer, &e);
  e.data.fd = event;
  epoll_ctl(poll, EPOLL_CTL_ADD, event, &e);
  assert(read(timer, &number, sizeof number) == -1 && errno == EAGAIN);
  timerfd_settime(timer, 0, &soon, NULL);
  pthread_create(&thread, NULL, write_event, NULL);
  while (!(seen & 1) && epoll_wait(poll, &e, 1, -1) == 1) {
    int is_timer = e.data.fd == timer;
    assert(read(e.data.fd, &number, sizeof number) == sizeof number);
    assert(number == 1);
    strcat(order, is_timer ? "time" : "data ");
    seen |= is_timer ? 1 : 2;
  }
  soon.it_value.tv_sec = 100;
  timerfd_settime(timer, 0, &soon, NULL);
  timerfd_settime(timer, 0, &off, &soon);
  assert(read(timer, &number, sizeof number) == -1);
  pthread_join(thread, NULL);
  if (!(seen & 2) && epoll_wait(poll, &e, 1, 0) == 1)
    strcat(order, " data");
  puts(order);
}
