// fstat and stat look at the size, the mode and the links of a file: they conflict with what
// changes them.  Counts: T1 looks before the first of main's three changes, or behind any.
// expect optimal source dpor: executions 4
// expect output "0 600 1\n"
// expect output "1 600 1\n"
// expect output "1 400 1\n"
// expect output "1 400 2\n"
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void *look(void *fd) {
  struct stat s;
  fstat(*(int *)fd, &s);
  printf("%d %o %d\n", (int)s.st_size, s.st_mode & 0777, (int)s.st_nlink);
  return NULL;
}

int main(void) {
  pthread_t t;
  unlink("heddle-stat");
  unlink("heddle-stat-2");
  int fd = open("heddle-stat", O_WRONLY | O_CREAT | O_EXCL, 0600);
  pthread_create(&t, NULL, look, &fd);
  write(fd, "a", 1);
  fchmod(fd, 0400);
  link("heddle-stat", "heddle-stat-2");
  pthread_join(t, NULL);
  return 0;
}
