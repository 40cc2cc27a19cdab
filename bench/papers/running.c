/* The running example of paper 1 (section 2): 12 traces, 11 classes for
 * observers.
 *
 * The second assertion can fail.  Its result is kept here instead of ending the
 * thread, as the paper's trees do: both results are what r returns, the values
 * they were found by are not. */
#include "common.h"

static atomic_int x, y;

static void *p(void *unused) {
  store(y, 1);
  store(x, 1);
  return unused;
}

static void *q(void *unused) {
  store(x, 2);
  return unused;
}

static void *r(void *unused) {
  (void)unused;
  long first = load(x) < 3;
  long second = load(x) < 2;
  return (void *)(first + 2 * second);
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, p, 0);
  pthread_create(&threads[1], 0, q, 0);
  pthread_create(&threads[2], 0, r, 0);
  join(threads, 3);
}
