// An addition that is taken back is noticed by a thread that waits for it, or reads it: then
// the rounds are part of the execution, and there is no end of them.
// expect incomplete
// expect output "1 1\n"
// expect output "1 2\n"
// options --loop-bound=3
// algorithms dpor source optimal unfold
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int owners = 1;
static int waited, seen;

static void *take(void *unused) {
  while (atomic_fetch_add(&owners, 1) != 0)
    atomic_fetch_sub(&owners, 1);
  return unused;
}

static void *leave(void *unused) {
  while (atomic_load(&owners) != 2)
    ;
  waited = 1;
  seen = atomic_load(&owners);
  atomic_fetch_sub(&owners, 1);
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, take, NULL);
  pthread_create(&t[1], NULL, leave, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  printf("%d %d\n", waited, seen);
  return 0;
}
