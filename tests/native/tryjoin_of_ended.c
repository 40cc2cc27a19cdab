// A tryjoin that succeeds would have been possible before the end of the thread, too, with
// another result: main starts the second thread when the first has ended in the first
// execution.  Counts: the second thread looks before the end, or behind it.
// expect optimal source dpor: executions 2
// expect output "0 1\n"
// expect output "1 1\n"
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static pthread_t first;
static int x;

static void *nothing(void *unused) {
  x = 1;
  return unused;
}

static void *look(void *unused) {
  int early = pthread_tryjoin_np(first, NULL) != 0;
  if (early)
    pthread_join(first, NULL);
  printf("%d %d\n", early, x);
  return unused;
}

int main(void) {
  pthread_t second;
  pthread_create(&first, NULL, nothing, NULL);
  pthread_create(&second, NULL, look, NULL);
  pthread_join(second, NULL);
  return 0;
}
