// EPOLLONESHOT: what is ready is told to one of the threads that wait, and to the
// next when that one has renewed it.
// expect output "2\n"
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

static int epoll, event, taken;

static void *take(void *unused) {
  struct epoll_event got;
  eventfd_t number;
  assert(epoll_wait(epoll, &got, 1, -1) == 1);
  assert(epoll_wait(epoll, &got, 1, 0) == 0);
  assert(!eventfd_read(event, &number));
  taken++;
  got.events = EPOLLIN | EPOLLONESHOT;
  assert(!epoll_ctl(epoll, EPOLL_CTL_MOD, event, &got));
  return unused;
}

int main(void) {
  struct epoll_event wanted = {.events = EPOLLIN | EPOLLONESHOT};
  pthread_t other;
  event = eventfd(2, EFD_SEMAPHORE);
  epoll = epoll_create1(0);
  epoll_ctl(epoll, EPOLL_CTL_ADD, event, &wanted);
  pthread_create(&other, 0, take, 0);
  take(0);
  pthread_join(other, 0);
  printf("%d\n", taken);
}
