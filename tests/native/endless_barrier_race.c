// Each third round the reader looks before the barrier that ends the writer's
// phase.
// algorithms stateful
// modes undo
// expect stateful: executions 0
// real no: it never ends
#include <pthread.h>

static pthread_barrier_t b;
static int x;

static void *writer(void *unused) {
  for (;;) {
    x = !x; // expect race with line 25
    pthread_barrier_wait(&b);
    pthread_barrier_wait(&b);
  }
  return unused;
}

static void *reader(void *unused) {
  volatile int seen;
  for (int round = 0;; round = (round + 1) % 3) {
    if (round == 2)
      seen = x; // expect race with line 14
    pthread_barrier_wait(&b);
    if (round != 2)
      seen = x;
    pthread_barrier_wait(&b);
  }
  (void)seen;
  return unused;
}

int main(void) {
  pthread_t t, u;
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&t, 0, writer, 0);
  pthread_create(&u, 0, reader, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
