// Addresses are never used again, so no state of this server comes again.  The
// report says so.
// expect incomplete
// expect message which allocates memory: none of its states comes again
// options --loop-bound=20
// algorithms stateful
// modes undo
// real no: it never ends
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *serve(void *unused) {
  for (;;) {
    int *request = malloc(sizeof *request);
    pthread_mutex_lock(&m);
    *request = n;
    n = !*request;
    pthread_mutex_unlock(&m);
    free(request);
  }
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, serve, 0);
  pthread_join(t, 0);
}
