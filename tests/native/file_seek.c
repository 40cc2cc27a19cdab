// To seek to where the place is already conflicts with other seeks.
// Counts: the three orders of main's lseek among those of the thread.
// expect optimal: executions 3, blocked 0
// expect output "1"
// expect output "0"
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static int file;

static void *move(void *unused) {
  lseek(file, 1, SEEK_SET);
  printf("%d", (int)lseek(file, 0, SEEK_CUR));
  return unused;
}

int main(void) {
  pthread_t thread;
  file = memfd_create("file", 0);
  pthread_create(&thread, 0, move, 0);
  lseek(file, 0, SEEK_SET);
  pthread_join(thread, 0);
}
