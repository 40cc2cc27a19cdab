// A thread that ends with a stream locked by flockfile keeps others out; ftrylockfile tells.
// expect error deadlock
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static FILE *file;

static void *run(void *unused) {
  flockfile(file);
  fputs("a", file);
  return unused;
}

int main(void) {
  pthread_t t;
  file = tmpfile();
  pthread_create(&t, NULL, run, NULL);
  pthread_join(t, NULL);
  assert(ftrylockfile(file));
  putc_unlocked('c', file);
  fputs("b", file);
}
