// SV-COMP's functions with this prefix are atomic, whichever way they return.
// expect optimal: executions 2, blocked 0
// real no: other compilers do not make the function atomic
#include <assert.h>
#include <pthread.h>

static int x;

int __VERIFIER_atomic_increment(int by) {
  if (!by)
    return 0;
  int old = x;
  x = old + by;
  return x;
}

static void *increment(void *unused) {
  __VERIFIER_atomic_increment(1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, increment, 0);
  pthread_create(&b, 0, increment, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
}
