// --interfere=locks: what a thread does before its first step is part of its
// creation, and what it does behind its last one is before the join: no race.
// expect all: executions 1, blocked 0
// expect output "3\n"
// options --interfere=locks
// algorithms naive source optimal cs optimal-cs
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char text[8];
static int length;

static void *run(void *unused) {
  (void)unused;
  length = (int)strlen(text);
  return 0;
}

int main(void) {
  pthread_t t;
  strcpy(text, "abc");
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  memset(text, 0, sizeof text);
  printf("%d\n", length);
}
