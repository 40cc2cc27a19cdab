// Two threads list the same folder at once: neither sees what the other has found so far.
// expect output "3 1 3 1\n"
#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/heddle-test-XXXXXX";

struct seen {
  struct dirent **entries;
  glob_t paths;
  int count;
};

static void *list_folder(void *arg) {
  struct seen *to = arg;
  glob("*", 0, 0, &to->paths);
  to->count = scandir(".", &to->entries, 0, 0);
  return 0;
}

int main(void) {
  static struct seen here, there;
  pthread_t other;
  assert(mkdtemp(folder) && !chdir(folder));
  close(open("a", O_CREAT | O_WRONLY, 0600));
  pthread_create(&other, 0, list_folder, &there);
  list_folder(&here);
  pthread_join(other, 0);
  printf("%d %zu %d %zu\n", here.count, here.paths.gl_pathc, there.count, there.paths.gl_pathc);
  assert(!unlink("a") && !chdir("/") && !rmdir(folder));
}
