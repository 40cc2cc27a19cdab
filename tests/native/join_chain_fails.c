// Main fails after its first join, in executions in which the second thread
// waits for ever.
// expect error assertion
// expect error deadlock
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;

static void *a(void *unused) {
  x = 1;
  return unused;
}

static void *b(void *unused) {
  pthread_mutex_lock(&held);
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_mutex_lock(&held);
  pthread_create(&t[0], 0, a, 0);
  pthread_create(&t[1], 0, b, 0);
  int r = x;
  pthread_join(t[0], 0);
  assert(!r); // expect assertion here
  pthread_join(t[1], 0);
}
