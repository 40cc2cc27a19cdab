// A constructor has created a thread: what main does before it creates one itself is
// not the first thing that happens.
// expect output "0\n"
// expect output "1\n"
#include <pthread.h>
#include <stdio.h>

static pthread_t early;
static int x, seen;

static void *looks(void *unused) {
  seen = x; // expect race with line 21
  return unused;
}

__attribute__((constructor)) static void before_main(void) {
  pthread_create(&early, 0, looks, 0);
}

int main(void) {
  x = 1;
  pthread_join(early, 0);
  printf("%d\n", seen);
}
