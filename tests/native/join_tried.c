// pthread_tryjoin_np finds a thread that has ended or is busy, and a timed join ends
// in both ways.  A thread that was joined orders what it did.
// expect output "busy, timeout, 1\n"
// expect output "busy, joined, 1\n"
// expect output "joined at once, 1\n"
// algorithms naive source optimal observers cs optimal-cs optimal-cs-ob unfold stateful pop
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static int done;

static void *run(void *unused) {
  done = 1;
  return &done;
  (void)unused;
}

int main(void) {
  pthread_t t;
  void *result;
  struct timespec until;
  pthread_create(&t, NULL, run, NULL);
  int code = pthread_tryjoin_np(t, &result);
  if (!code) {
    printf("joined at once, %d\n", *(int *)result);
    return code;
  }
  if (code != EBUSY)
    return code;
  clock_gettime(CLOCK_REALTIME, &until);
  code = pthread_timedjoin_np(t, &result, &until);
  if (code && (code != ETIMEDOUT || pthread_timedjoin_np(t, &result, NULL)))
    return 2;
  printf("busy, %s, %d\n", code ? "timeout" : "joined", *(int *)result);
}
