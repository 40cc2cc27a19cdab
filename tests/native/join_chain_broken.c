// Two joins follow each other in one execution, in another one there is a store
// between them, for which the second thread waits.  They are not taken for one
// step then.  Counts: the two values of r.
// expect output "0\n"
// expect output "1\n"
// expect optimal: executions 2, blocked 0
// expect source: executions 2
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x, go;

static void *a(void *unused) {
  x = 1;
  return unused;
}

static void *b(void *unused) {
  while (!go)
    ;
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, a, 0);
  pthread_create(&t[1], 0, b, 0);
  int r = x;
  if (!r)
    go = 1;
  pthread_join(t[0], 0);
  if (r)
    go = 1;
  pthread_join(t[1], 0);
  printf("%d\n", r);
}
