// Main never ends; another thread ends the process, at any point of that.
// options --loop-bound=1
// expect incomplete
// expect message stopped main in the loop
// expect optimal: executions 3, blocked 0
// expect output ""
// expect output "a\n"
// expect output "a\na\n"
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
  for (;;)
    puts("a");
}
