// Two threads are created in one atomic block, and one of them first touches
// memory of its own: the schedule that is replayed knows that of both.
// expect error livelock
#include <heddle.h>
#include <pthread.h>
static volatile char x, y;
static void *a(void *u) {
  while (x == 0)
    ;
  return u;
}
static void *b(void *u) {
  (void)y;
  return u;
}
int main(void) {
  pthread_t t[2];
  heddle_atomic_begin();
  pthread_create(&t[0], 0, a, 0);
  pthread_create(&t[1], 0, b, 0);
  heddle_atomic_end();
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
}
