// A thread that asks for a variable of the environment finds the value that
// another one sets, or the one before.
// expect output "old\n"
// expect output "new\n"
// expect optimal: executions 2, blocked 0
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char seen[8];

static void *ask(void *unused) {
  strcpy(seen, getenv("HEDDLE_TEST_NAME"));
  return unused;
}

int main(void) {
  pthread_t t;
  setenv("HEDDLE_TEST_NAME", "old", 1);
  setenv("HEDDLE_TEST_NAME", "no", 0);
  pthread_create(&t, 0, ask, 0);
  setenv("HEDDLE_TEST_NAME", "new", 1);
  pthread_join(t, 0);
  puts(seen);
}
