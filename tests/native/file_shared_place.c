// Two threads read from one description: each byte goes to one of them.
// expect optimal: executions 2, blocked 0
// expect output "ab"
// expect output "ba"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int file, twin;
static char got[2];

static void *take(void *unused) {
  read(twin, &got[1], 1);
  return unused;
}

int main(void) {
  char path[] = "/tmp/heddle-test-XXXXXX";
  pthread_t thread;
  file = mkstemp(path);
  unlink(path);
  write(file, "ab", 2);
  lseek(file, 0, SEEK_SET);
  twin = dup(file);
  pthread_create(&thread, 0, take, 0);
  read(file, &got[0], 1);
  pthread_join(thread, 0);
  printf("%.2s", got);
}
