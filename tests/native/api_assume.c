// What an assumption excludes is no outcome, no error and no deadlock.
// expect output "1\n"
#include <heddle.h>
#include <pthread.h>
#include <stdio.h>

static void *fails(void *unused) {
  (void)unused;
  heddle_assume(heddle_choose(2) == 1);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, fails, 0);
  pthread_join(t, 0);
  puts("1");
}
