// The old state is written to memory as any other.
// expect output "0 0\n"
// expect output "5 0\n"
#include <pthread.h>
#include <stdio.h>

static int old = 5;

static void *set(void *unused) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set, 0);
  int seen = old;
  pthread_join(thread, 0);
  printf("%d %d\n", seen, old);
}
