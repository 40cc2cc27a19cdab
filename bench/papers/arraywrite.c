/* arraywrite(N): 4N threads store into an array and two read its first two
 * elements.
 *
 * The paper says no more, but its figures do.  Its longest executions have 89,
 * 421, 869 and 1641 steps for N = 5, 10, 15, 20: that is 1 + K(4N+2) with
 * K = 4, 10, 14, 20, so that each of the 4N+2 threads takes part K times, and
 * its counts are 2^K.  Hence N/2 rounds with two readers each, every read in a
 * race with a single store.
 *
 * Here every thread goes through the rounds by itself.  Writer i stores into
 * its element of the round, readers 0 and 1 read elements 0 and 1: 4^(N/2)
 * traces.  No element is stored to twice, so that observers changes nothing.
 * What is stored is what was there, so that everything commutes: 1 execution
 * under cs.  Most steps have nothing to do with a given race; a check that
 * leaves them out (section 3.4, --no-refine) has less to compare. */
#include "common.h"

#ifndef N
#define N 5
#endif
#define ROUNDS (N / 2)

static atomic_int array[ROUNDS][4 * N];

static void *writer(void *argument) {
  for (int round = 0; round < ROUNDS; round++)
    store(array[round][(long)argument], 0);
  return 0;
}

static void *reader(void *argument) {
  for (int round = 0; round < ROUNDS; round++)
    assert(load(array[round][(long)argument]) == 0);
  return 0;
}

int main(void) {
  pthread_t writers[4 * N], readers[2];
  start(writers, 4 * N, writer, 0);
  start(readers, 2, reader, 0);
  join(writers, 4 * N);
  join(readers, 2);
}
