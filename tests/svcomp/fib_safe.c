extern void abort(void);
#include <assert.h>
void reach_error() { assert(0); }
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
#define NUM 2
int i, j;
int p, q;
int fib(void) {
  int cur = 1, prev = 0;
  for (int x = 0; x < 2 * NUM; x++) { int next = cur + prev; prev = cur; cur = next; }
  return prev + cur - cur;
}
void *t1(void *arg) {
  int k = 0;
  for (k = 0; k < NUM; k++) { __VERIFIER_atomic_begin(); i = i + j; __VERIFIER_atomic_end(); }
  return 0;
}
void *t2(void *arg) {
  int k = 0;
  for (k = 0; k < NUM; k++) { __VERIFIER_atomic_begin(); j = j + i; __VERIFIER_atomic_end(); }
  return 0;
}
int main(int argc, char **argv) {
  pthread_t id1, id2;
  i = 1; j = 1;
  pthread_create(&id1, ((void *)0), t1, ((void *)0));
  pthread_create(&id2, ((void *)0), t2, ((void *)0));
  pthread_join(id1, 0); pthread_join(id2, 0);
  int correct = 8;
  __VERIFIER_atomic_begin();
  _Bool assert_cond = i <= correct && j <= correct;
  __VERIFIER_atomic_end();
  if (!assert_cond) { ERROR: {reach_error();abort();} }
  return 0;
}
