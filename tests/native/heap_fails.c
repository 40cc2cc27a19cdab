// Each allocation of a thread may be the one that fails: 3 in main, and one of 2
// fails in the thread, 4 * 3 ways (theory), with other orders where both print.
// options --malloc-fails=1
// expect optimal: executions 12, blocked 0
// expect output "main 0 thread 0\n"
// expect output "main 1 thread 0\n"
// expect output "main 2 thread 0\n"
// expect output "main 3 thread 0\n"
// expect output "main 0 thread 1\n"
// expect output "main 1 thread 1\n"
// expect output "main 2 thread 1\n"
// expect output "main 3 thread 1\n"
// expect output "main 0 thread 2\n"
// expect output "main 1 thread 2\n"
// expect output "main 2 thread 2\n"
// expect output "main 3 thread 2\n"
// real no: memory does not fail there
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int failed;

static void *work(void *unused) {
  char *a = malloc(10);
  char *b = realloc(a, 20);
  failed = !a ? 1 : !b ? 2 : 0;
  if (!a || b)
    free(b);
  else
    free(a);
  return unused;
}

int main(void) {
  pthread_t t;
  void *c = 0;
  pthread_create(&t, 0, work, 0);
  char *a = calloc(2, 4), *b = aligned_alloc(64, 64);
  int code = posix_memalign(&c, 64, 64);
  pthread_join(t, 0);
  printf("main %d thread %d\n", !a ? 1 : !b ? 2 : code == ENOMEM ? 3 : 0,
         failed);
  free(a);
  free(b);
  free(c);
}
