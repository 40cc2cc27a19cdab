// As in glibc, a thread that prints waits for a stream that another has locked by flockfile,
// and one that prints by write() or putc_unlocked() does not. Places of "b": before or after
// "aa"; of "c", from the thread that printed "b": anywhere after it.
// expect output "aabc"
// expect output "baac"
// expect output "baca"
// expect output "bcaa"
#include <pthread.h>
#include <stdio.h>

static void *run(void *unused) {
  flockfile(stdout);
  putc_unlocked('a', stdout);
  putc_unlocked('a', stdout);
  funlockfile(stdout);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  putchar('b');
  putc_unlocked('c', stdout);
  pthread_join(t, NULL);
}
