// The process may end before another thread fails or comes to an assumption
// that does not hold: then there is an outcome.
// expect error assertion
// expect output "0\n"
// expect output "1\n"
// real no: the process may end before the other thread fails
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;

static void *fail(void *unused) {
  x = 1;
  assert(unused); // expect assertion here
  return unused;
}

static void *assume(void *unused) {
  heddle_assume(unused != 0);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, fail, 0);
  pthread_create(&b, 0, assume, 0);
  printf("%d\n", x);
}
