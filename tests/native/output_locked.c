// What a thread prints between flockfile and funlockfile is not mixed with what another
// prints in the same way.  Two orders (theory).
// expect optimal: executions 2, blocked 0
// expect output "aabb"
// expect output "bbaa"
#include <pthread.h>
#include <stdio.h>

static void *run(void *text) {
  flockfile(stdout);
  putc_unlocked(*(char *)text, stdout);
  putc_unlocked(*(char *)text, stdout);
  funlockfile(stdout);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, "a");
  run("b");
  pthread_join(t, NULL);
}
