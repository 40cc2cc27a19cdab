extern void abort(void);
#include <assert.h>
void reach_error() { assert(0); }
#include <pthread.h>
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
int flag1 = 0, flag2 = 0;
int turn;
int x;
void *thr1(void *_) {
  flag1 = 1;
  turn = 1;
  int f21 = flag2;
  int t1 = turn;
  while (f21 == 1 && t1 == 1) { f21 = flag2; t1 = turn; };
  x = 0;
  if (!(x <= 0)) { reach_error(); }
  flag1 = 0;
  return 0;
}
void *thr2(void *_) {
  flag2 = 1;
  turn = 0;
  int f12 = flag1;
  int t2 = turn;
  while (f12 == 1 && t2 == 0) { f12 = flag1; t2 = turn; };
  x = 1;
  if (!(x >= 1)) { reach_error(); }
  flag2 = 0;
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
