// 2000 threads at once, and a hundred one after another: one execution, since none conflict.
// real no: the machine may not give a program so many threads
// options --loop-bound=3000
// algorithms optimal
// modes undo
// expect optimal: executions 1, blocked 0
// expect output "2000\n"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MANY = 1900, ONE_BY_ONE = 100 };

static int *counts;

static void *run(void *count) {
  ++*(int *)count;
  return 0;
}

int main(void) {
  static pthread_t thread[MANY];
  int sum = 0;
  counts = calloc(MANY + ONE_BY_ONE, sizeof *counts);
  for (int i = 0; i < MANY; i++)
    pthread_create(&thread[i], 0, run, &counts[i]);
  for (int i = 0; i < MANY; i++)
    pthread_join(thread[i], 0);
  for (int i = 0; i < ONE_BY_ONE; i++) {
    pthread_create(&thread[0], 0, run, &counts[MANY + i]);
    pthread_join(thread[0], 0);
  }
  for (int i = 0; i < MANY + ONE_BY_ONE; i++)
    sum += counts[i];
  printf("%d\n", sum);
}
