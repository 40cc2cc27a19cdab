// A struct with a hole between its members, made by a function and copied to a
// variable: what the hole holds comes from the stack, and must be the same when
// the steps are taken again.
// expect all: executions 2
// options --verify --races=off
// algorithms optimal source
#include <pthread.h>
#include <stddef.h>

struct holed {
  int a[3];
  long b;
};

static struct holed shared;

static struct holed make(int n) {
  return (struct holed){.a = {n, 1, n}, .b = n};
}

static void *change(void *unused) {
  shared.a[1] = 4;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, change, NULL);
  shared = make(1);
  pthread_join(thread, NULL);
}
