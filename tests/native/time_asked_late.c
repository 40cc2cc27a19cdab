// A thread sleeps as long as the first value says that it finds, and asks for the
// time at last: then states that differ in the time alone are told apart.
// Counts: outcomes by naive.
// algorithms naive optimal stateful
// modes undo
// options --races=off
// expect output "1000000\n"
// expect output "1100000\n"
// real no: the time is not fixed there
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static atomic_int x;

static void *set(void *unused) {
  x = 1;
  x = 0;
  return unused;
}

int main(void) {
  pthread_t t;
  struct timespec begin, end;
  pthread_create(&t, 0, set, 0);
  if (x)
    usleep(100);
  pthread_join(t, 0);
  clock_gettime(CLOCK_MONOTONIC, &end);
  begin.tv_sec = 1000;
  printf("%ld\n", (long)(end.tv_sec - begin.tv_sec) * 1000000000 + end.tv_nsec);
}
