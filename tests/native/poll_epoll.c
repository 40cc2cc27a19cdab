// A loop of events ends when it is told to.
// expect output "work stop "
#include <pthread.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int event;

static void *tell(void *unused) {
  eventfd_write(event, 1);
  return unused;
}

int main(void) {
  struct epoll_event wanted = {.events = EPOLLIN}, got;
  pthread_t thread;
  int epoll = epoll_create1(0);
  eventfd_t number;
  event = eventfd(1, EFD_SEMAPHORE);
  epoll_ctl(epoll, EPOLL_CTL_ADD, event, &wanted);
  pthread_create(&thread, 0, tell, 0);
  for (int n = 0; n < 2; n++)
    if (epoll_wait(epoll, &got, 1, -1) == 1 && !eventfd_read(event, &number))
      printf(n ? "stop " : "work ");
  pthread_join(thread, 0);
}
