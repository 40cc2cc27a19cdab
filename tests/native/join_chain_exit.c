// The process ends while main waits for a thread that never ends.  What main
// prints between two joins is seen, also if nothing is between them in other
// executions.
// expect output ""
// expect output "late\n"
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int x;
static sem_t never;

static void *a(void *unused) {
  x = 1;
  return unused;
}

static void *b(void *unused) {
  sem_wait(&never);
  return unused;
}

static void *c(void *unused) {
  fflush(stdout);
  _exit(0);
  return unused;
}

int main(void) {
  pthread_t t[3];
  sem_init(&never, 0, 0);
  pthread_create(&t[0], 0, a, 0);
  pthread_create(&t[1], 0, b, 0);
  pthread_create(&t[2], 0, c, 0);
  int r = x;
  pthread_join(t[0], 0);
  if (r)
    write(1, "late\n", 5);
  pthread_join(t[1], 0);
}
