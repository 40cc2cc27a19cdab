// The process ends when main returns, whatever others still want to print.
// expect optimal: executions 3, blocked 0
// expect output "main\n"
// expect output "main\nthread\n"
// expect output "thread\nmain\n"
#include <pthread.h>
#include <stdio.h>

static void *print(void *unused) {
  (void)unused;
  puts("thread");
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, print, 0);
  puts("main");
}
