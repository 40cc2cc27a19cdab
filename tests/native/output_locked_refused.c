// A thread prints without the lock of a stream that another has: glibc would let it
// wait.
// expect refused another thread has locked by flockfile
#include <pthread.h>
#include <stdio.h>

static void *run(void *unused) {
  flockfile(stdout);
  putc_unlocked('a', stdout);
  funlockfile(stdout);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  puts("b");
  pthread_join(t, NULL);
}
