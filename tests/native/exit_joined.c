// A thread that ends the process is not there to be joined.
// expect optimal: executions 1, blocked 0
// expect output ""
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *quit(void *unused) {
  (void)unused;
  exit(0);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, quit, 0);
  pthread_join(thread, 0);
  puts("joined");
}
