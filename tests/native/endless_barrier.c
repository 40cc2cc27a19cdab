// Two threads change their own half in one phase and look at the other's in the
// next, for ever.  Data races are looked for: a barrier orders the phases.
// algorithms stateful
// modes undo
// expect stateful: executions 0
// real no: it never ends
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t b;
static int half[2];

static void *go_round(void *number) {
  int me = *(int *)number;
  for (;;) {
    half[me] = !half[me];
    pthread_barrier_wait(&b);
    int other = half[!me];
    assert(other == half[me]);
    pthread_barrier_wait(&b);
  }
  return 0;
}

int main(void) {
  int number[2] = {0, 1};
  pthread_t t[2];
  pthread_barrier_init(&b, 0, 2);
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, go_round, &number[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
}
