// Main fills a table before it creates threads, which read it: no access to the
// table is a step.
// Counts: main starts, creates two threads, and joins one of them.  Then it is
// learnt that it joins the other one at once, and the search begins anew: main
// starts, creates two, and joins both in one step.  The threads do nothing else.
// expect optimal: executions 1, blocked 0, steps 8
#include <assert.h>
#include <pthread.h>

static int table[3];

static void *look_up(void *unused) {
  for (int i = 0; i < 3; i++)
    assert(table[i] == i);
  return unused;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 3; i++)
    table[i] = i;
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, look_up, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
}
