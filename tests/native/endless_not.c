// A loop of two rounds ends by itself, each time that it is entered.
// options --loop-bound=2
// expect optimal: executions 9, blocked 0
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;

static void add(void) {
  for (int i = 0; i < 2; i++)
    x++;
}

static void *add_often(void *unused) {
  add();
  add();
  for (int i = 0; i < 2; i++)
    add();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, add_often, 0);
  return x > 8;
}
