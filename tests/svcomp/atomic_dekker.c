extern void abort(void);
#include <assert.h>
void reach_error() { assert(0); }
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int flag1 = 0, flag2 = 0; // N booleans
int turn = 0;             // integer variable to hold the ID of the thread whose turn it is
int x;                    // variable to test mutual exclusion

void *thr1(void *arg) {
  __VERIFIER_atomic_begin();
  flag1 = 1;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  int f = flag2;
  __VERIFIER_atomic_end();
  while (f >= 1) {
    __VERIFIER_atomic_begin();
    int t = turn;
    __VERIFIER_atomic_end();
    if (t != 0) {
      __VERIFIER_atomic_begin();
      flag1 = 0;
      __VERIFIER_atomic_end();
      __VERIFIER_atomic_begin();
      t = turn;
      __VERIFIER_atomic_end();
      while (t != 0) {
        __VERIFIER_atomic_begin();
        t = turn;
        __VERIFIER_atomic_end();
      };
      __VERIFIER_atomic_begin();
      flag1 = 1;
      __VERIFIER_atomic_end();
    }
    __VERIFIER_atomic_begin();
    f = flag2;
    __VERIFIER_atomic_end();
  }
  // begin: critical section
  x = 0;
  if (!(x <= 0)) ERROR: {reach_error();abort();}
  // end: critical section
  __VERIFIER_atomic_begin();
  turn = 1;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  flag1 = 0;
  __VERIFIER_atomic_end();
  return 0;
}

void *thr2(void *arg) {
  __VERIFIER_atomic_begin();
  flag2 = 1;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  int f = flag1;
  __VERIFIER_atomic_end();
  while (f >= 1) {
    __VERIFIER_atomic_begin();
    int t = turn;
    __VERIFIER_atomic_end();
    if (t != 1) {
      __VERIFIER_atomic_begin();
      flag2 = 0;
      __VERIFIER_atomic_end();
      __VERIFIER_atomic_begin();
      t = turn;
      __VERIFIER_atomic_end();
      while (t != 1) {
        __VERIFIER_atomic_begin();
        t = turn;
        __VERIFIER_atomic_end();
      };
      __VERIFIER_atomic_begin();
      flag2 = 1;
      __VERIFIER_atomic_end();
    }
    __VERIFIER_atomic_begin();
    f = flag1;
    __VERIFIER_atomic_end();
  }
  // begin: critical section
  x = 1;
  if (!(x >= 1)) ERROR: {reach_error();abort();}
  // end: critical section
  __VERIFIER_atomic_begin();
  turn = 1;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  flag2 = 0;
  __VERIFIER_atomic_end();
  return 0;
}

int main() {
  pthread_t t1, t2;
  pthread_create(&t1, 0, thr1, 0);
  pthread_create(&t2, 0, thr2, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  return 0;
}
