// A loop that sleeps while it waits does wait: how long it slept matters
// only to a thread that asks for the time.
// expect output "1\n"
// Not naive: the rounds until a loop is known to wait depend on the steps before
// it, of which naive has more.
// algorithms optimal source observers dc
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static atomic_int stage;
static int data;

static void *follow(void *unused) {
  (void)unused;
  struct timespec pause = {0, 1000};
  while (atomic_load(&stage) < 1)
    nanosleep(&pause, 0);
  data = 1;
  atomic_store(&stage, 2);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, follow, 0);
  atomic_store(&stage, 1);
  while (atomic_load(&stage) < 2)
    usleep(10);
  while (atomic_load(&stage) < 2)
    thrd_sleep(&(struct timespec){1, 0}, 0);
  printf("%d\n", data);
  pthread_join(t, 0);
}
