extern void abort(void);
#include <assert.h>
void reach_error() { assert(0); }
#include <pthread.h>
#define unlocked 0
#define locked 1
volatile int lock = unlocked;
int c = 0;

void __VERIFIER_atomic_TAS(volatile int *v, volatile int *o) {
  *o = *v;
  *v = 1;
}

void acquire_lock() {
  int cond;
  __VERIFIER_atomic_TAS(&lock, &cond);
  while (cond == locked)
    __VERIFIER_atomic_TAS(&lock, &cond);
}

void __VERIFIER_atomic_release_lock() {
  lock = unlocked;
}

void *thr1(void *arg) {
  acquire_lock();
  c++;
  if (c != 1) { ERROR: {reach_error();abort();} ; }
  c--;
  __VERIFIER_atomic_release_lock();
  return 0;
}

int main() {
  pthread_t t;
  for (int i = 0; i < 2; i++)
    pthread_create(&t, 0, thr1, 0);
  thr1(0);
  return 0;
}
