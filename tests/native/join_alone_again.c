// Main joins all threads, looks at what they left, and creates others.  What it
// does alone comes between the two.  Counts: two orders of the stores before,
// two after.
// expect output "1 11\n"
// expect output "1 12\n"
// expect output "2 11\n"
// expect output "2 12\n"
// expect optimal: executions 4, blocked 0
// expect source: executions 4
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;
static int plain;

static void *write_x(void *i) {
  atomic_store(&x, plain + (int)(long)i);
  return 0;
}

static void run(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], 0, write_x, (void *)(i + 1));
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
}

int main(void) {
  run();
  int first = x;
  plain = 10;
  run();
  printf("%d %d\n", first, x);
}
