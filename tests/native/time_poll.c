// poll and select without descriptors are ways to sleep.
// expect output "1 1\n"
// algorithms optimal source observers dc
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/select.h>

static atomic_int stage;

static void *follow(void *unused) {
  while (!atomic_load(&stage))
    poll(0, 0, 10);
  atomic_store(&stage, 2);
  return unused;
}

int main(void) {
  pthread_t thread;
  struct timeval time;
  pthread_create(&thread, 0, follow, 0);
  atomic_store(&stage, 1);
  do {
    time = (struct timeval){0, 500};
    select(0, 0, 0, 0, &time);
  } while (atomic_load(&stage) < 2);
  pthread_join(thread, 0);
  printf("%d %d\n", time.tv_sec == 0, time.tv_usec == 0);
  return 0;
}
