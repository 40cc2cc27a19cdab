// A wait that must be reversed at a node where all that is enabled sleeps.
// expect output "2 0 0\n"
// expect output "2 0 2\n"
// expect error livelock
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x, y;
static int r, s;

static void *thread0(void *unused) {
  y = 2;
  return unused;
}

static void *thread1(void *unused) {
  r = x;
  x = 2;
  return unused;
}

static void *thread2(void *unused) {
  while (x >= 1)
    ;
  s = y;
  return unused;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, thread0, 0);
  pthread_create(&t[1], 0, thread1, 0);
  pthread_create(&t[2], 0, thread2, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  printf("%d %d %d\n", x, r, s);
}
