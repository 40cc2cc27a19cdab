// A loop of two rounds ends by itself, each time that it is entered.
// options --loop-bound=2
// expect optimal: executions 9, blocked 0
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void add(void) {
  for (int bit = 2; bit; bit >>= 1)
    x++;
}

static void *add_often(void *unused) {
  add();
  add();
  for (int bit = 2; bit; bit >>= 1)
    add();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, add_often, 0);
  return x > 8;
}
