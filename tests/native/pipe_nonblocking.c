// A read of an empty pipe waits or not by the flags of the description, which another
// thread changes: the read looks at them before or behind.  Counts: these two.
// expect optimal source dpor: executions 2
// expect error deadlock
// expect output "-1\n"
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static int p[2];
static void *take(void *unused) {
  char c;
  printf("%d\n", (int)read(p[0], &c, 1));
  return unused;
}
int main(void) {
  pthread_t t;
  if (pipe(p))
    return 1;
  pthread_create(&t, NULL, take, NULL);
  fcntl(p[0], F_SETFL, O_NONBLOCK);
  pthread_join(t, NULL);
  return 0;
}
