// stat looks at a file's size, mode and links: each of the three changes comes before or after
// it (theory: the sizes, modes and numbers of links in the order of the other thread).
// expect output "0 600 1\n"
// expect output "2 600 1\n"
// expect output "2 640 1\n"
// expect output "2 640 2\n"
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "/tmp/heddle-stat-size"

static void *change(void *unused) {
  int file = open(NAME, O_WRONLY | O_APPEND);
  write(file, "ab", 2);
  chmod(NAME, 0640);
  link(NAME, NAME "-2");
  return unused;
}

int main(void) {
  struct stat s;
  pthread_t t;
  close(open(NAME, O_WRONLY | O_CREAT | O_TRUNC, 0600));
  pthread_create(&t, 0, change, 0);
  if (stat(NAME, &s))
    return 1;
  pthread_join(t, 0);
  printf("%d %o %d\n", (int)s.st_size, s.st_mode & 0777u, (int)s.st_nlink);
}
