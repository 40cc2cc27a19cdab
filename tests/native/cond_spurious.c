// A wait that is not in a loop may end too early.  Main waits once without the
// choice, or with it; if the flag is set before main looks, it does not wait
// (outputs: theory).
// options --spurious=1
// expect output "ready 1\n"
// expect output "ready 0\n"
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *set(void *unused) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  pthread_mutex_lock(&m);
  if (!ready)
    pthread_cond_wait(&c, &m);
  printf("ready %d\n", ready);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
}
