/* Two threads read two shared variables, neighbours in memory, S times in turn,
 * then race: 2 traces.  A step should cost the same, however many there were
 * before it. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef S
#define S 10000
#endif
static struct {
  int left, right;
} shared __attribute__((aligned(8)));
static atomic_int sums[2], place;

static void *run(void *argument) {
  int mine = 0;
  for (int i = 0; i < S / 2; i++)
    mine += shared.left + shared.right;
  sums[atomic_fetch_add(&place, 1)] = mine; /* each sees the other's, or not */
  return argument;
}

/* What several threads only read is no step. */
static void *set(void *argument) {
  shared.left = shared.right = 1;
  return argument;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, set, NULL);
  pthread_join(t[0], NULL);
  shared.left = shared.right = 2;
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, run, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  return 0;
}
