// A call through a null pointer is shown where it is, whatever came before it:
// locals whose lives end are told of only when the schedule is replayed.
// expect error crash
#include <pthread.h>

static void *work(void *unused) { return unused; }

static long start(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  return pthread_join(thread, 0);
}

static int call(int (*function)(void)) {
  return function(); // expect crash here
}

int main(void) {
  return call((int (*)(void))start());
}
