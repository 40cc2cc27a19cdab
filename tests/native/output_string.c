// printf reads the strings of its arguments when its step is taken.
// expect optimal: executions 2, blocked 0
// expect output "<abc>\n"
// expect output "<a>\n"
// options --races=off
#include <pthread.h>
#include <stdio.h>

static char text[8] = "abc";

static void *cut(void *unused) {
  (void)unused;
  text[1] = 0;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, cut, 0);
  printf("<%s>\n", text);
  pthread_join(thread, 0);
}
