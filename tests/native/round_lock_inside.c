// A loop that waits while it holds a mutex is no round of the loop around it:
// the thread holds the mutex all the time.
// expect output "1\n"
// expect error livelock
// algorithms naive dpor source optimal
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;
static int done;

static void *waits(void *unused) {
  int seen;
  do {
    pthread_mutex_lock(&m);
    while (!flag)
      ;
    seen = done;
    pthread_mutex_unlock(&m);
  } while (!seen);
  return unused;
}

static void *sets(void *unused) {
  pthread_mutex_lock(&m);
  done = 1;
  flag = 1;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, waits, 0);
  pthread_create(&t[1], 0, sets, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  printf("%d\n", done);
}
