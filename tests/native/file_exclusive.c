// A lock file: one of two threads creates it, and a thread that waits for its
// end goes on when it is gone.
// expect output "1"
// waits for several places
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[64];
static int inside, most;

static void *enter(void *unused) {
  while (open(path, O_CREAT | O_EXCL | O_WRONLY, 0600) < 0)
    ;
  if (++inside > most)
    most = inside;
  inside--;
  unlink(path);
  return unused;
}

int main(void) {
  char folder[] = "/tmp/heddle-test-XXXXXX";
  pthread_t thread;
  mkdtemp(folder);
  snprintf(path, sizeof path, "%s/lock", folder);
  pthread_create(&thread, 0, enter, 0);
  enter(0);
  pthread_join(thread, 0);
  rmdir(folder);
  printf("%d", most);
}
