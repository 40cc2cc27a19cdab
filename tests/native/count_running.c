// The running example of the context-sensitive paper: 12 traces (the paper).
// The second assertion can fail; what follows it is nothing, so that the count
// is the same whether the thread stops there or not.
// expect optimal: executions 12, blocked 0
// expect unfold: executions 12, blocked 0
// expect source: executions 12
// expect error assertion
// options --races=off
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *p(void *unused) {
  y = 1;
  x = 1;
  return unused;
}

static void *q(void *unused) {
  x = 2;
  return unused;
}

static void *r(void *unused) {
  assert(x < 3);
  assert(x < 2); // expect assertion here
  return unused;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, p, 0);
  pthread_create(&t[1], 0, q, 0);
  pthread_create(&t[2], 0, r, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
}
