// A handler of on_exit is told the status, and its argument.
// options --exit-status=any
// expect optimal: executions 1
// expect output "atexit\nfirst 3\n"
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

static void with_status(int status, void *name) {
  printf("%s %d\n", (char *)name, status);
}

static void without(void) {
  puts("atexit");
}

int main(void) {
  on_exit(with_status, "first");
  atexit(without);
  exit(3);
}
