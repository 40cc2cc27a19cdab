// Accesses to memory that only one thread uses are no steps of their own, except
// for naive.  Two threads count up privately 100 times, then write x: 2 traces.
// Steps: start, 2 creates, 2 writes, 2 joins in the first execution, and 2
// writes and 2 joins in the second; before that, the run that found x shared: 6.
// (`own` has an element between the two: a granule has 4 bytes.)
// expect optimal: executions 2, blocked 0
// expect source: executions 2
// algorithms source optimal
// options --races=off --max-steps=12
#include <pthread.h>

static char own[2][8];
static int x;

static void *run(void *argument) {
  long id = (long)argument;
  for (int i = 0; i < 100; i++)
    own[id][0]++;
  x = 1;
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], 0, run, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
}
