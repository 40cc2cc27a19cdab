// A program that reads the clock, too, sees that time has passed: each of the two
// waits lasts a second.  heddle learns only at the last line that deadlines show.
// expect safe
// expect output "2 or more\n"
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void wait_a_second(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_sec++;
  pthread_mutex_lock(&m);
  pthread_cond_timedwait(&c, &m, &t);
  pthread_mutex_unlock(&m);
}

static void *waits(void *unused) {
  wait_a_second();
  wait_a_second();
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waits, 0);
  pthread_join(t, 0);
  puts(time(0) - 946684800 < 2 ? "less" : "2 or more");
}
