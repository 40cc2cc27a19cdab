// A wait ends by time just before the signal, which then comes to the next wait
// of the same thread: it wakes twice.  The signal that ends a wait must not hide
// that it could have ended before.
// expect output "0\n"
// expect output "1\n"
// expect output "2\n"
// expect output "3\n"
// expect output "4\n"
// expect output "5\n"
// algorithms naive dpor source optimal observers cs optimal-cs optimal-cs-ob
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int a, b, result;

static void *signaller(void *unused) {
  pthread_mutex_lock(&m);
  a = 1;
  pthread_mutex_unlock(&m);
  pthread_cond_signal(&c);
  pthread_mutex_lock(&m);
  b = 1;
  pthread_mutex_unlock(&m);
  pthread_cond_signal(&c);
  return unused;
}

int main(void) {
  pthread_t t;
  struct timespec soon = {1, 0};
  pthread_create(&t, 0, signaller, 0);
  pthread_mutex_lock(&m);
  if (!a)
    result += pthread_cond_timedwait(&c, &m, &soon) ? 3 : 0;
  while (!b)
    if (pthread_cond_timedwait(&c, &m, &soon) == 0)
      result++;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  printf("%d\n", result);
}
