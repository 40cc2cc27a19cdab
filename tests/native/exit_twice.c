// Three threads end the process.  Threads that call exit share the handlers; with
// _exit none need run.  (By hand: either text may be missing because its thread
// was too slow, and they may come in any order.)
// expect output ""
// expect output "first\n"
// expect output "first\nsecond\n"
// expect output "second\n"
// expect output "second\nfirst\n"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void first(void) {
  puts("first");
}

static void second(void) {
  puts("second");
}

static void *quit(void *unused) {
  (void)unused;
  _exit(0);
}

static void *leave(void *unused) {
  (void)unused;
  exit(0);
}

int main(void) {
  pthread_t a, b;
  atexit(first);
  atexit(second);
  pthread_create(&a, 0, quit, 0);
  pthread_create(&b, 0, leave, 0);
  exit(0);
}
