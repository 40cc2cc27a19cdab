// With --max-threads a thread that creates more is stopped, and those that exist run on:
// the error of two of them is found.
// expect error assertion
// expect incomplete
// options --max-threads=3
// algorithms naive optimal source
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int inside;

static void *enter(void *unused) {
  assert(++inside == 1);
  --inside;
  return unused;
}

int main(void) {
  pthread_t t;
  for (;;)
    pthread_create(&t, NULL, enter, NULL);
}
