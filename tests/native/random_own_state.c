// Sequences whose state is the program's own: each thread has one.  The numbers
// are those of the C library.
// expect optimal: executions 1
// algorithms optimal source pop dc unfold
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static long first[2];
static int32_t second[2];

static void *draw(void *argument) {
  int id = *(int *)argument;
  struct drand48_data small;
  struct random_data large;
  char numbers[64];
  double half;
  memset(&large, 0, sizeof large);
  srand48_r(7, &small);
  lrand48_r(&small, &first[id]);
  drand48_r(&small, &half);
  assert(half >= 0 && half < 1);
  initstate_r(7, numbers, sizeof numbers, &large);
  random_r(&large, &second[id]);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int ids[2] = {0, 1};
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, draw, &ids[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  srand48(7);
  assert(first[0] == lrand48() && first[0] == first[1]);
  assert(second[0] == second[1]);
}
