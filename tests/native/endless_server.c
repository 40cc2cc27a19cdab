// A server that never ends does not keep others from running.
// options --loop-bound=2
// expect error assertion
// real no: the search is never complete
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *serve(void *unused) {
  for (;;) {
    x = 1;
    x = 0;
  }
  return unused;
}

static void *ask(void *unused) {
  assert(x == 0); // expect assertion here
  return unused;
}

int main(void) {
  pthread_t server, client;
  pthread_create(&server, 0, serve, 0);
  pthread_create(&client, 0, ask, 0);
  pthread_join(client, 0);
}
