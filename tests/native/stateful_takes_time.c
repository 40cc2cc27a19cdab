// The thread asks for the time, which goes on: no state comes again.
// expect incomplete
// expect message which takes time: none of its states comes again
// options --loop-bound=20
// algorithms stateful
// modes undo
// real no: it never ends
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int n;

static void *serve(void *unused) {
  for (;;) {
    assert(time(0) > 1000);
    atomic_fetch_xor(&n, 1);
    sleep(1);
  }
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, serve, 0);
  pthread_join(t, 0);
}
