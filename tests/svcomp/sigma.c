/* Testcase from Threader's distribution, in style. */
extern void abort(void);
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
#include <assert.h>
void reach_error() { assert(0); }
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
void __VERIFIER_assert(int expression) { if (!expression) { ERROR: {reach_error();abort();} }; return; }
const int SIGMA = 3;
int *array;
int array_index = 0;
void *thread(void *arg) {
  array[array_index] = 1;
  return 0;
}
int main() {
  int tid, sum;
  pthread_t *t;
  t = (pthread_t *)malloc(sizeof(pthread_t) * SIGMA);
  array = (int *)malloc(sizeof(int) * SIGMA);
  assume_abort_if_not(t);
  assume_abort_if_not(array);
  memset(array, 0, sizeof(int) * SIGMA);
  for (tid = 0; tid < SIGMA; tid++) {
    pthread_create(&t[tid], 0, thread, 0);
    array_index++;
  }
  for (tid = 0; tid < SIGMA; tid++) { pthread_join(t[tid], 0); }
  for (tid = sum = 0; tid < SIGMA; tid++) { sum += array[tid]; }
  __VERIFIER_assert(sum == SIGMA);
  return 0;
}
