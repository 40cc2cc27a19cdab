// Three threads meet at a barrier for two, for ever: who meets whom is open, and
// arrivals are ordered.  Each writes before it arrives: a data race with the one
// that it did not meet.
// algorithms stateful
// modes undo
// real no: it never ends
#include <pthread.h>

static pthread_barrier_t b;
static int x[3];

static void *go_round(void *number) {
  int me = *(int *)number;
  for (;;) {
    x[me] = 1; // expect race with line 17
    pthread_barrier_wait(&b);
    volatile int seen = x[(me + 1) % 3]; // expect race with line 15
    (void)seen;
  }
  return 0;
}

int main(void) {
  int number[3] = {0, 1, 2};
  pthread_t t[3];
  pthread_barrier_init(&b, 0, 2);
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], 0, go_round, &number[i]);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
}
