// A cycle in which a thread only looks is told as a livelock of that thread; in the replay
// main waits for it, and comes first.  It is the same livelock.
// options --races=off
// algorithms naive optimal stateful
// modes undo
// expect error livelock
// expect output "0\n"
// expect output "2\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;

static void *waits(void *unused) {
  int seen[5] = {0};
  x = seen[1];
  do
    seen[3] = x;
  while ((seen[3] = x) == 0);
  return unused;
}

static void *clears(void *unused) {
  x = 0;
  return unused;
}

static void *sets(void *unused) {
  if (atomic_exchange(&x, 2) != 0) {
  }
  return unused;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, waits, NULL);
  pthread_create(&t[1], NULL, clears, NULL);
  pthread_create(&t[2], NULL, sets, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
  printf("%d\n", x);
  return 0;
}
