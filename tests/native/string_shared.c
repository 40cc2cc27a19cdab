// strcpy is one step: strlen sees the old string or the new one.  Two orders of
// the two, and the reader is main.
// expect optimal: executions 2, blocked 0
// expect output "3\n"
// expect output "6\n"
// options --races=off
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char text[16] = "old";

static void *change(void *unused) {
  (void)unused;
  strcpy(text, "longer");
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, change, 0);
  size_t length = strlen(text);
  pthread_join(thread, 0);
  printf("%zu\n", length);
}
