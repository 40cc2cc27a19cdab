// What lies behind the end of a string is not read: no dependence, no race.
// expect optimal: executions 1, blocked 0
// expect output "3\n"
// options --races=error
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char text[16] = "abc";

static void *change(void *unused) {
  (void)unused;
  text[4] = 'x';
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, change, 0);
  size_t length = strlen(text);
  pthread_join(thread, 0);
  printf("%zu\n", length);
}
