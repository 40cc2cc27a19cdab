// Endless recursion, in a thread; the other one and main run on.
// expect error crash
// expect message stack overflow
#include <pthread.h>

static int descend(int n) { return n < 0 ? n : 2 * descend(n + 1) + 1; }

static void *endless(void *unused) {
  (void)unused;
  return (void *)(long)descend(1);
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, endless, 0);
}
