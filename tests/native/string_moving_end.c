// Two writers move the end of the string that strlen looks for: behind the
// first write the reader does not look at the place of the second.
// Orders: the short one before strlen (then the long one does not matter to
// it), the long one alone before, none before.
// expect optimal: executions 3, blocked 0
// expect output "1\n"
// expect output "3\n"
// expect output "6\n"
// options --races=off
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char text[16] = "abcdef";

static void *cut(void *where) {
  *(char *)where = 0;
  return 0;
}

int main(void) {
  pthread_t thread[2];
  pthread_create(&thread[0], 0, cut, text + 1);
  pthread_create(&thread[1], 0, cut, text + 3);
  size_t length = strlen(text);
  pthread_join(thread[0], 0);
  pthread_join(thread[1], 0);
  printf("%zu\n", length);
}
