// Which of the two threads ends the process is seen by its status; the status is
// the lowest byte.  With --stderr what goes there is output.
// options --exit-status=any --stderr
// real no: there only the standard output is looked at
// expect output "2\n"
// expect output "2\n7\n"
// expect output "7\n"
// expect output "7\n2\n"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *quit(void *unused) {
  (void)unused;
  write(2, "7\n", 2);
  _exit(0x107);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, quit, 0);
  fprintf(stderr, "2\n");
  _exit(2);
}
