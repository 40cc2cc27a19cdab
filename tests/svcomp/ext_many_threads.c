extern void abort(void);
#include <assert.h>
void reach_error() { assert(0); }
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int r = 0, s = 0;
void __VERIFIER_atomic_inc_r() { ++r; }
void *thr1(void *arg) {
  __VERIFIER_atomic_inc_r();
  if (r == 1) {
    L3: s = s + 1; s = s + 1;
    if (s == 5) { ERROR: {reach_error();abort();} }
  }
  return 0;
}
int main() {
  pthread_t t;
  while (1) { pthread_create(&t, 0, thr1, 0); }
}
