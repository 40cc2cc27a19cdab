// The buffer that is filled is memory as any other.
// expect output "old\n"
// expect output "new\n"
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char buffer[16] = "old";

static void *fill(void *unused) {
  (void)unused;
  pthread_setname_np(pthread_self(), "new");
  pthread_getname_np(pthread_self(), buffer, sizeof buffer);
  return 0;
}

int main(void) {
  pthread_t thread;
  char seen[16] = "";
  pthread_create(&thread, 0, fill, 0);
  memcpy(seen, buffer, 4); // expect race with line 14
  pthread_join(thread, 0);
  puts(seen);
}
