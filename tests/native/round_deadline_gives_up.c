// The time that makes a deadline is compared with another one, too: the thread gives
// up when that has come.  Both ends of the loop are found.
// expect safe
// expect output "ready\n"
// expect output "late\n"
// algorithms dpor source optimal
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

static sem_t s;

static void *posts(void *unused) {
  sem_post(&s);
  return unused;
}

static const char *wait_for(time_t until) {
  struct timespec t = {0, 0};
  for (;;) {
    t.tv_sec = time(0) + 1;
    if (t.tv_sec > until)
      return "late";
    if (sem_timedwait(&s, &t) == 0)
      return "ready";
  }
}

int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, posts, 0);
  puts(wait_for(946684800 + 4));
  pthread_join(t, 0);
}
