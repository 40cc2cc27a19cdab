// Writing a bit-field reads its neighbours and writes them back.
// expect output "1 0\n"
// expect output "0 1\n"
// expect output "1 1\n"
// The reads are independent: 6 orders, 4 traces.
// expect optimal: executions 4, blocked 0
// options --races=off
// real no: both threads write one memory location without synchronisation
#include <pthread.h>
#include <stdio.h>

static struct {
  unsigned a : 3, b : 20;
} x;

static void *set(void *unused) {
  x.a = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  x.b = 1;
  pthread_join(t, 0);
  printf("%u %u\n", x.a, x.b);
}
