// Handlers in reverse order, then destructors; all of it in every execution.
// options --exit-status=any
// expect optimal: executions 2, blocked 0
// expect output "main\nsecond\nfirst\ndestructor\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int order;

static void first(void) {
  puts("first");
}

static void second(void) {
  puts("second");
}

__attribute__((destructor)) static void last(void) {
  puts("destructor");
}

static void *work(void *unused) {
  (void)unused;
  order = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  atexit(first);
  atexit(second);
  pthread_create(&thread, 0, work, 0);
  order = 2;
  pthread_join(thread, 0);
  puts("main");
  exit(3);
}
