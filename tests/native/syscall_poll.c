// A loop that polls by the number of the system call waits as one that calls poll() does.
// expect output "x\n"
// expect optimal: executions 2, blocked 0
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *unused) {
  syscall(SYS_write, ends[1], "x", 1L);
  return unused;
}

int main(void) {
  pthread_t t;
  char byte = 0;
  struct pollfd file = {.events = POLLIN};
  if (pipe(ends))
    return 1;
  file.fd = ends[0];
  pthread_create(&t, NULL, writer, NULL);
  while (syscall(SYS_poll, &file, 1L, -1L) != 1)
    ;
  syscall(SYS_read, ends[0], &byte, 1L);
  pthread_join(t, NULL);
  printf("%c\n", byte);
}
