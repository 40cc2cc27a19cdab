// A loop tries to lock and looks if it could: both ways of coming back are in
// vain.  It sees the value only after the section that writes it.
// expect output "1\n"
// expect optimal: executions 1, blocked 0
// algorithms naive dpor source optimal
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *writer(void *unused) {
  pthread_mutex_lock(&m);
  value = 1;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  int seen = 0;
  pthread_create(&t, 0, writer, 0);
  for (;;) {
    if (!pthread_mutex_trylock(&m)) {
      seen = value;
      pthread_mutex_unlock(&m);
      if (seen)
        break;
    }
    sched_yield();
  }
  pthread_join(t, 0);
  printf("%d\n", seen);
}
