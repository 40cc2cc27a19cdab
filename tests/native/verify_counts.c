// --verify changes nothing in what is counted and found.  Two threads print from
// blocks of their own under a mutex: two orders; main reads without it what both
// write under it, before, between or after: 2 * 3 traces.
// expect optimal: executions 6, blocked 0
// expect output "0 1 2\n"
// expect output "0 2 1\n"
// expect output "1 1 2\n"
// expect output "1 2 1\n"
// expect output "2 1 2\n"
// expect output "2 2 1\n"
// options --verify --races=off
// algorithms source optimal
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count, order[2];

static void *thread(void *argument) {
  int *mine = malloc(sizeof *mine);
  *mine = *(int *)argument;
  pthread_mutex_lock(&mutex);
  order[count++] = *mine;
  pthread_mutex_unlock(&mutex);
  free(mine);
  return 0;
}

int main(void) {
  static int names[] = {1, 2};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, thread, &names[i]);
  int early = count;
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  printf("%d %d %d\n", early, order[0], order[1]);
  return 0;
}
