// The process ends at any point of what another thread prints.
// options --loop-bound=1
// expect incomplete
// expect optimal: executions 5, blocked 0
// expect output ""
// expect output "a\n"
// expect output "a\nb\n"
// expect output "a\nb\na\n"
// expect output "a\nb\na\nb\n"
#include <pthread.h>
#include <stdio.h>

static void *print(void *unused) {
  for (;;) {
    puts("a");
    puts("b");
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, print, 0);
}
