// The reader holds the writing end open itself: the data never ends.
// expect error deadlock
// expect message waits for data of a pipe or socket
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *consume(void *unused) {
  char byte;
  while (read(ends[0], &byte, 1) > 0)
    ;
  return unused;
}

int main(void) {
  pthread_t thread;
  pipe(ends);
  int twin = dup(ends[1]);
  pthread_create(&thread, 0, consume, 0);
  close(ends[1]);
  (void)twin;
  pthread_join(thread, 0);
}
