// Functions of constants are no events.
// expect all: executions 1
// expect naive: executions 1, blocked 0, steps 4
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *use(void *unused) {
  (void)unused;
  assert(strlen("abc") == 3 && strcmp("a", "b") < 0 && atoi("12") == 12);
  assert(*strchr("abc", 'b') == 'b' && !memcmp("ab", "ab", 2));
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, use, 0);
  use(0);
  pthread_join(thread, 0);
}
