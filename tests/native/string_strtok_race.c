// strtok remembers its place for all threads at once.
// expect error race
// options --races=error
#include <pthread.h>
#include <string.h>

static char text[2][4] = {"a b", "c d"};

static void *split(void *s) {
  strtok(s, " ");
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, split, text[0]);
  split(text[1]);
  pthread_join(thread, 0);
}
