// What pthread_join() writes to is not initialised: whether that changes
// something depends on what an earlier run has left on the stack.
// expect safe
// expect optimal: executions 4
// options --races=off
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
static volatile int x, y;
static void *inner(void *u) {
  (void)u;
  return (void *)(intptr_t)x;
}
static void *outer(void *result) {
  void *last = (void *)(intptr_t)y;
  pthread_t t;
  pthread_create(&t, 0, inner, 0);
  pthread_join(t, result);
  return last;
}
static void *other(void *u) {
  x = 0;
  return u;
}
int main(void) {
  pthread_t t, o;
  void *first, *last, *swapped;
  pthread_create(&t, 0, outer, &first);
  pthread_create(&o, 0, other, 0);
  y = 2;
  pthread_join(t, &last);
  pthread_join(o, &swapped);
  printf("%d %d %p\n", (int)(intptr_t)last, (int)(intptr_t)first, swapped);
}
