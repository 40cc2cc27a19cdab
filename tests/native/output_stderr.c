// The order of messages to the standard error stream is no outcome.
// modes undo
// expect optimal: executions 1, blocked 0
// expect output "done\n"
#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static void *complain(void *unused) {
  (void)unused;
  fputs("message\n", stderr);
  dprintf(2, "number %d\n", 2);
  warnx("warning");
  errno = ENOENT;
  perror("text");
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, complain, 0);
  complain(0);
  pthread_join(thread, 0);
  puts("done");
}
