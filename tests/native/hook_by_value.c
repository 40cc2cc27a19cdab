// A struct passed by value is read by the call.
// expect output "0\n"
// expect output "1\n"
// expect optimal: executions 2, blocked 0
// options --races=off
#include <pthread.h>
#include <stdio.h>

struct message {
  long id, length, a, b;
} m;

static long take(struct message v) {
  return v.id + v.length;
}

static void *put(void *unused) {
  m.id = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, put, 0);
  long seen = take(m);
  pthread_join(t, 0);
  printf("%ld\n", seen);
}
