// A handler is registered by one thread before or after another one exits.
// expect optimal: executions 2, blocked 0
// expect output ""
// expect output "handler\n"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void handler(void) {
  puts("handler");
}

static void *end(void *unused) {
  (void)unused;
  exit(0);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, end, 0);
  atexit(handler);
  pthread_exit(0);
}
