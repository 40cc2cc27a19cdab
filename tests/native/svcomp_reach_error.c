// A call of reach_error() is an error, whatever the program says it does.
// expect error assertion
// expect message reach_error
// real no: there the function does nothing
#include <pthread.h>

static int state;

void reach_error(void) {}

static void *work(void *unused) {
  state = 1;
  state = 0;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  if (state)
    reach_error();
  pthread_join(thread, 0);
  return 0;
}
