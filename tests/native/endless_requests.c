// A server that answers requests for ever, and a client that has always another
// one.
// algorithms stateful
// modes undo
// expect stateful: executions 0
// real no: it never ends
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t asked = PTHREAD_COND_INITIALIZER;
static pthread_cond_t answered = PTHREAD_COND_INITIALIZER;
static int request, answer;

static void *serve(void *unused) {
  for (;;) {
    pthread_mutex_lock(&m);
    while (!request)
      pthread_cond_wait(&asked, &m);
    answer = request + 1;
    request = 0;
    pthread_cond_signal(&answered);
    pthread_mutex_unlock(&m);
  }
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, serve, 0);
  for (int i = 1;; i = 3 - i) {
    pthread_mutex_lock(&m);
    answer = 0;
    request = i;
    pthread_cond_signal(&asked);
    while (!answer)
      pthread_cond_wait(&answered, &m);
    assert(answer == i + 1);
    pthread_mutex_unlock(&m);
  }
}
