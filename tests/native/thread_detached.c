// Detached threads, by attribute and by call, need no join.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ran;

static void *runs(void *unused) {
  (void)unused;
  ran++;
  return 0;
}

static void *detaches_itself(void *unused) {
  pthread_detach(pthread_self());
  return runs(unused);
}

int main(void) {
  pthread_t t;
  pthread_attr_t a;
  pthread_attr_init(&a);
  pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
  assert(pthread_create(&t, &a, runs, 0) == 0);
  assert(pthread_create(&t, 0, detaches_itself, 0) == 0);
  pthread_exit(0);
}
