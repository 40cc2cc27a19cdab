// Two threads count events, and one takes them.
// expect output "2\n"
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int event;

static void *happen(void *unused) {
  eventfd_write(event, 1);
  return unused;
}

int main(void) {
  pthread_t thread[2];
  uint64_t sum = 0, value;
  event = eventfd(0, 0);
  for (int i = 0; i < 2; i++)
    pthread_create(&thread[i], 0, happen, 0);
  while (sum < 2 && read(event, &value, sizeof value) == sizeof value)
    sum += value;
  for (int i = 0; i < 2; i++)
    pthread_join(thread[i], 0);
  printf("%d\n", (int)sum);
}
