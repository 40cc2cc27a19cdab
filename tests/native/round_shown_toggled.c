// A variable that is volatile is no step, but what a round leaves in it counts, also before
// the thread's first step: that part of the thread is in the step that created it.  Counts: x
// is written before the first look or behind it; the rounds behind toggle, so that the third
// look is the first again.
// expect optimal source dpor: executions 2, blocked 0
// expect output "0\n"
// expect output "1\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;

static void *toggle(void *unused) {
  volatile int a = 0;
  do
    a = !a;
  while (!x);
  printf("%d\n", a);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, toggle, NULL);
  x = 1;
  pthread_join(t, NULL);
  return 0;
}
