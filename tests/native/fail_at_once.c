// Two threads fail before they do anything that others could see, the second in
// spite of the first: both are reported.
// expect error assertion
#include <assert.h>
#include <pthread.h>

static void *first(void *unused) {
  assert(unused); // expect assertion here
  return unused;
}

static void *second(void *unused) {
  assert(unused != 0); // expect assertion here
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_exit(0);
}
