// Main ends by pthread_exit: the process ends with its last thread, as if by
// exit(0), so that handlers run after all that threads do; and a thread that
// joins main need not wait for others.
// expect output "joined\nworked\nhandler\n"
// expect output "worked\njoined\nhandler\n"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_t first;

static void handler(void) {
  puts("handler");
}

static void *work(void *unused) {
  (void)unused;
  puts("worked");
  return 0;
}

static void *parent(void *unused) {
  pthread_t child;
  pthread_create(&child, 0, work, 0);
  pthread_detach(child);
  return unused;
}

static void *join(void *unused) {
  pthread_join(first, 0);
  puts("joined");
  return unused;
}

int main(void) {
  pthread_t a, b;
  first = pthread_self();
  atexit(handler);
  pthread_create(&a, 0, parent, 0);
  pthread_create(&b, 0, join, 0);
  pthread_exit(0);
}
