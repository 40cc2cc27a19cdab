// A thread's name is set by another thread: before or after it asks.
// expect optimal: executions 2, blocked 0
// expect output "new\n"
// expect output "\n"
// real no: a thread begins with the name of its creator
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static void *ask(void *unused) {
  char name[16];
  (void)unused;
  pthread_getname_np(pthread_self(), name, sizeof name);
  puts(name);
  return 0;
}

static void *begin(void *unused) {
  pthread_t thread;
  pthread_create(&thread, 0, ask, unused);
  pthread_setname_np(thread, "new");
  pthread_join(thread, 0);
  return 0;
}

int main(void) {
  pthread_t self = pthread_self();
  char name[16];
  assert(pthread_setname_np(self, "0123456789abcdef") == ERANGE);
  assert(pthread_getname_np(self, name, 15) == ERANGE);
  assert(pthread_setname_np(self, "old") == 0);
  begin(0);
}
