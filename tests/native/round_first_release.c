// main's first release would be the exchange that it waits at: it leaves what is there
// and releases nothing, so main goes round for ever as T1 does.
// expect error livelock
// expect output ""
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock, ready;

static void *wait_inside(void *unused) {
  while (atomic_exchange(&lock, 1))
    ;
  while (!ready)
    ;
  lock = 0;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, wait_inside, 0);
  while (atomic_exchange(&lock, 1))
    ;
  ready = 1;
  lock = 0;
  pthread_join(t, 0);
}
