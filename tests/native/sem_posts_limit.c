// Two posts to a semaphore that is one below its limit: either fails, 2 (theory).
// expect optimal: executions 2, blocked 0
// expect source: executions 2
// expect unfold: executions 2, blocked 0
// expect output "01\n"
// expect output "10\n"
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t sem;
static int failed[2];

static void *poster(void *place) {
  *(int *)place = sem_post(&sem) == -1 && errno == EOVERFLOW;
  return 0;
}

int main(void) {
  pthread_t t[2];
  sem_init(&sem, 0, INT_MAX - 1);
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, poster, &failed[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  printf("%d%d\n", failed[0], failed[1]);
}
