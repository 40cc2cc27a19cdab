// A pointer to a thread's own variable makes it shared.
// expect optimal: executions 2, blocked 0
// expect output "0\n"
// expect output "1\n"
// options --races=off
#include <pthread.h>
#include <stdio.h>

static _Thread_local int mine;

static void *set(void *place) {
  *(int *)place = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set, &mine);
  int seen = mine;
  pthread_join(thread, 0);
  printf("%d\n", seen);
}
