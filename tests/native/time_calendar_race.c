// localtime returns a variable that all threads share.
// options --races=error
// expect error race
#include <pthread.h>
#include <time.h>

static void *ask(void *unused) {
  time_t then = 86400;
  return localtime(&then)->tm_mday == 2 ? unused : 0; // expect race here
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, ask, 0);
  ask(0);
  pthread_join(t, 0);
}
