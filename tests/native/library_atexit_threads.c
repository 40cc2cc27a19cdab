// Two threads register handlers: the latest runs first.
// expect output "ab\n"
// expect output "ba\n"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void end_of_line(void) {
  puts("");
}

static void a(void) {
  putchar('a');
}

static void b(void) {
  putchar('b');
}

static void *other(void *unused) {
  atexit(a);
  return unused;
}

int main(void) {
  pthread_t thread;
  atexit(end_of_line);
  pthread_create(&thread, 0, other, 0);
  atexit(b);
  pthread_join(thread, 0);
}
