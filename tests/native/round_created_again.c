// A thread that begins with a loop, created again after its creation was taken back:
// it remembers no round of its first life.  Counts: T1 reads y before or after main
// writes it, and T2 leaves its first loop before or after x = 1.
// expect optimal: executions 4, blocked 0
// expect output "0\n"
// expect output "1\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x, y;
static int seen;

static void *looks(void *unused) {
  while (x == 2)
    ;
  while (x == 0)
    ;
  return unused;
}

static void *creates(void *unused) {
  pthread_t thread;
  seen = y;
  pthread_create(&thread, NULL, looks, NULL);
  x = 1;
  pthread_join(thread, NULL);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, creates, NULL);
  y = 1;
  pthread_join(thread, NULL);
  printf("%d\n", seen);
}
