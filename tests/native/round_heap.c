// A lock in a block that main frees when all threads have ended: that write, of more than
// the lock, comes after all looks.  Which of three threads comes when.
// algorithms dpor source optimal
// expect optimal: executions 6, blocked 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct counter {
  atomic_int lock;
  int value;
};

static void *count(void *argument) {
  struct counter *c = argument;
  while (atomic_exchange(&c->lock, 1))
    ;
  c->value++;
  c->lock = 0;
  return 0;
}

int main(void) {
  pthread_t t[3];
  struct counter *c = calloc(1, sizeof *c);
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], 0, count, c);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  assert(c->value == 3);
  free(c);
}
