// System calls by number do what the C library's functions do: data goes through a
// pipe, results and errno are theirs, and a wait waits.
// expect output "hello, 5 bytes\n"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *unused) {
  syscall(SYS_write, ends[1], "hello", 5L);
  return unused;
}

int main(void) {
  pthread_t t;
  char text[8] = "", random[4];
  if (syscall(SYS_pipe2, ends, O_CLOEXEC))
    return 1;
  pthread_create(&t, NULL, writer, NULL);
  long count = syscall(SYS_read, ends[0], text, sizeof text);
  pthread_join(t, NULL);
  printf("%s, %ld bytes\n", text, count);
  if (syscall(SYS_close, ends[0]) || syscall(SYS_close, ends[0]) != -1 ||
      errno != EBADF)
    return 2;
  if (syscall(SYS_gettid) != gettid() || syscall(SYS_getpid) != getpid())
    return 3;
  if (syscall(SYS_getrandom, random, sizeof random, 0) != sizeof random)
    return 4;
  return syscall(SYS_sched_yield) || syscall(SYS_membarrier, 0, 0, 0) < 0;
}
