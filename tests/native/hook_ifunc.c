// A function that is chosen when the program is loaded, and a constructor that
// runs before main.
// expect output "3\n"
// expect output "4\n"
// expect optimal: executions 2, blocked 0
// options --races=off
// real no: plain accesses without synchronisation
#include <pthread.h>
#include <stdio.h>

static int x, chosen;

static int three(void) {
  return x + 3;
}

static int (*choose_value(void))(void) {
  chosen++;
  return three;
}

int value(void) __attribute__((ifunc("choose_value")));

__attribute__((constructor)) static void clear(void) {
  x = 0;
}

static void *put(void *unused) {
  x = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, put, 0);
  int seen = value();
  pthread_join(t, 0);
  printf("%d\n", seen);
}
