// One thread makes files while another lists their directory.
// real no: the order of entries on the disk is another
// expect output ". .. a c "
// expect output ". .. a b c "
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *make(void *unused) {
  close(open("b", O_CREAT | O_WRONLY, 0600));
  return unused;
}

int main(void) {
  char folder[] = "/tmp/heddle-test-XXXXXX";
  pthread_t thread;
  mkdtemp(folder);
  chdir(folder);
  close(open("a", O_CREAT | O_WRONLY, 0600));
  close(open("c", O_CREAT | O_WRONLY, 0600));
  pthread_create(&thread, 0, make, 0);
  DIR *directory = opendir(".");
  for (struct dirent *d; (d = readdir(directory));)
    printf("%s ", d->d_name);
  closedir(directory);
  pthread_join(thread, 0);
  assert(rmdir(folder) < 0 && errno == ENOTEMPTY);
  unlink("a"), unlink("b"), unlink("c");
  assert(!rmdir(folder));
}
