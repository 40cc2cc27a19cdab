// The classic: the argument of a detached thread is a local variable of a
// function that has returned by then.
// expect error memory
// expect message use after return
// options --races=off
#include <pthread.h>
#include <stddef.h>

static int seen;

static void *use(void *argument) {
  seen = *(int *)argument; // expect memory here
  return NULL;
}

static void start(int n) {
  int argument = n;
  pthread_t thread;
  pthread_create(&thread, NULL, use, &argument);
  pthread_detach(thread);
}

int main(void) {
  start(1);
  pthread_exit(NULL);
}
