// A handler that a thread registers may be too late for the end.
// expect output ""
// expect output "handler\n"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void handler(void) {
  puts("handler");
}

static void *enter(void *unused) {
  atexit(handler);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, enter, 0);
}
