// A loop that leaves when its time is over and another thread has asked for it.
// So the timeout matters only then.
// expect output "gave up\n"
// expect output "ready\n"
// expect output "ready, asked\n"
// algorithms naive dpor source optimal observers cs optimal-cs optimal-cs-ob
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, asked;

static void *signaller(void *unused) {
  pthread_mutex_lock(&m);
  asked = 1;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  ready = 1;
  asked = 0;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  struct timespec soon = {1, 0};
  int seen = 0;
  pthread_create(&t, 0, signaller, 0);
  pthread_mutex_lock(&m);
  seen = asked;
  while (!ready)
    if (pthread_cond_timedwait(&c, &m, &soon) == ETIMEDOUT && asked)
      break;
  puts(!ready ? "gave up" : seen ? "ready, asked" : "ready");
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
}
