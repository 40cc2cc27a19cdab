// A thread goes round a loop without looking at anything, beside one that goes on for ever.
// expect error livelock
// algorithms optimal pop stateful
// real no: it may never end
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int tick;

static void *serve(void *unused) {
  for (;;)
    tick = !tick;
  return unused;
}

static void *look_once(void *unused) {
  int old = tick;
  while (old) {
  }
  return unused;
}

int main(void) {
  pthread_t server, other;
  pthread_create(&server, NULL, serve, NULL);
  pthread_create(&other, NULL, look_once, NULL);
  pthread_join(other, NULL);
}
