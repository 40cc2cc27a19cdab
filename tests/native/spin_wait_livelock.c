// No thread is left to end the loop, unless the loop began late enough.
// expect error livelock
// expect message waits in a loop for a change of flag
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *toggle(void *unused) {
  (void)unused;
  atomic_store(&flag, 1);
  atomic_store(&flag, 0);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, toggle, 0);
  while (!atomic_load(&flag)) {
  }
  pthread_join(t, 0);
}
