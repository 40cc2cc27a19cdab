// A constructor runs on the main thread.
// expect optimal: executions 2, blocked 0
// real no: clang -O2 runs the constructor when it compiles, for all threads
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Thread_local int mine = 1;
static atomic_int order;

__attribute__((constructor)) static void begin(void) {
  mine = 2;
}

static void *work(void *unused) {
  (void)unused;
  assert(mine == 1);
  order = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  assert(mine == 2);
  mine = 5;
  pthread_create(&thread, 0, work, 0);
  order = 2;
  pthread_join(thread, 0);
  assert(mine == 5);
}
