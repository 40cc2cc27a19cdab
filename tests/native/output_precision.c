// With a precision, no more of the string is read: its rest may be freed,
// changed, or missing.
// expect optimal: executions 1, blocked 0
// expect output "ab abc"
// options --races=error
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[8] = "abcd";

static void *change(void *unused) {
  (void)unused;
  text[3] = 'x';
  return 0;
}

int main(void) {
  pthread_t thread;
  char *block = malloc(2);
  memcpy(block, "ab", 2);
  pthread_create(&thread, 0, change, 0);
  printf("%.2s %.*s", block, 3, text);
  pthread_join(thread, 0);
}
