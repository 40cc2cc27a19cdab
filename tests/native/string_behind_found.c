// strstr does not look behind what it finds: the thread that cuts the text off
// there is independent of it, 1 execution (theory), and --verify sees nothing
// that depends on more.
// expect optimal: executions 1, blocked 0
// options --verify
#include <pthread.h>
#include <string.h>

static char text[12] = "abcdefgh";

static void *cut(void *unused) {
  text[3] = '\0';
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, cut, NULL);
  char *found = strstr(text, "bc");
  pthread_join(thread, NULL);
  return found != text + 1;
}
