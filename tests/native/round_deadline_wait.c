// A new deadline for each wait on a condition variable, made as people do: from
// gettimeofday, by a struct that a function returns, from time().  A round that only
// waits again is left out: the search ends.
// expect safe
// expect output "done\n"
// algorithms dpor source optimal observers cs optimal-cs optimal-cs-ob
#include <pthread.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static struct timespec in_seconds(int n) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  t.tv_sec += n;
  return t;
}

static void wait_for(int what) {
  struct timeval now;
  struct timespec t = {0, 0};
  while (ready < what) {
    gettimeofday(&now, 0);
    t.tv_sec = now.tv_sec;
    t.tv_nsec = (now.tv_usec + 500) * 1000;
    if (t.tv_nsec >= 1000000000) {
      t.tv_sec++;
      t.tv_nsec -= 1000000000;
    }
    pthread_cond_timedwait(&c, &m, &t);
  }
}

static void *signaller(void *unused) {
  for (int i = 1; i <= 3; i++) {
    pthread_mutex_lock(&m);
    ready = i;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
  }
  return unused;
}

int main(void) {
  pthread_t signals;
  struct timespec t = {0, 0};
  pthread_create(&signals, 0, signaller, 0);
  pthread_mutex_lock(&m);
  wait_for(1);
  while (ready < 2) {
    struct timespec later = in_seconds(3);
    pthread_cond_timedwait(&c, &m, &later);
  }
  while (ready < 3) {
    t.tv_sec = time(0) + 1;
    pthread_cond_timedwait(&c, &m, &t);
  }
  pthread_mutex_unlock(&m);
  pthread_join(signals, 0);
  puts("done");
}
