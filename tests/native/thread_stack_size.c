// A thread may ask for more stack than heddle has, as long as it does not use
// it.
// expect optimal: executions 2, blocked 0
#include <assert.h>
#include <pthread.h>

static int x;

static void *work(void *unused) {
  volatile char room[1 << 20];
  room[0] = 1;
  x = room[0];
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_attr_t large;
  pthread_attr_init(&large);
  assert(!pthread_attr_setstacksize(&large, (size_t)64 << 20));
  pthread_create(&thread, &large, work, 0);
  x = 2;
  pthread_join(thread, 0);
  return 0;
}
