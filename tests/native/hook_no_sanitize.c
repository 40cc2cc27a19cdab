// Functions that hide from sanitizers do not hide from heddle, and code for
// ThreadSanitizer is not switched on.
// expect output "0\n"
// expect output "1\n"
// expect optimal: executions 2, blocked 0
// options --races=off
#include <pthread.h>
#include <stdio.h>

#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#error this program is not built for ThreadSanitizer
#endif
#endif

static int x;

__attribute__((no_sanitize("thread"))) static void *put(void *unused) {
  x = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, put, 0);
  int seen = x;
  pthread_join(t, 0);
  printf("%d\n", seen);
}
