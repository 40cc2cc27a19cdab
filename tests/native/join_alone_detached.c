// Main has joined two threads.  A third one, which nobody joins, still writes.
// Counts: y before or after the read, x written in two orders.
// expect error race
// expect optimal: executions 4, blocked 0
// expect source: executions 4
// options --races=error
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int y;

static void *write_x(void *i) {
  x = (int)(long)i;
  return 0;
}

static void *write_y(void *unused) {
  y = 1; // expect race with line 32
  return unused;
}

int main(void) {
  pthread_t t[2], other;
  pthread_create(&other, 0, write_y, 0);
  pthread_detach(other);
  pthread_create(&t[0], 0, write_x, (void *)1);
  pthread_create(&t[1], 0, write_x, (void *)2);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);

  return y == 2;
}
