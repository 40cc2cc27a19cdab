// How far strlen reads depends on the string.  Another thread ends it early by
// a write in the middle, which is not announced by strlen's first byte.
// expect optimal: executions 2, blocked 0
// expect output "2\n"
// expect output "6\n"
// options --races=off
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char text[16] = "abcdef";

static void *cut(void *unused) {
  (void)unused;
  text[2] = 0;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, cut, 0);
  size_t length = strlen(text);
  pthread_join(thread, 0);
  printf("%zu\n", length);
}
