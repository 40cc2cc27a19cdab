// The handle that pthread_create writes is memory like any other: a third
// thread may read it before or after.
// expect optimal: executions 2, blocked 0
// expect output "not yet\n"
// expect output "created\n"
// options --races=off
#include <pthread.h>
#include <stdio.h>

static pthread_t handle;
static int seen;

static void *looks(void *unused) {
  (void)unused;
  seen = handle != 0;
  return 0;
}

static void *nothing(void *unused) {
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, looks, 0);
  pthread_create(&handle, 0, nothing, 0);
  pthread_join(t, 0);
  pthread_join(handle, 0);
  puts(seen ? "created" : "not yet");
}
