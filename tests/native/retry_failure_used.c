// A lock that gives up when its swap has failed: what the swap found is used behind the
// loop, by a thread whose swap has failed, so the read and the swap are two steps.
// The swap succeeds before main writes, or behind, or finds 5 after it has read 4.
// If it finds 8 after it has read 4, it was in vain and comes too late: blocked.
// waits for several places: by the read, and by the swap
// expect optimal: executions 3, blocked 1
// expect output "8 0\n"
// expect output "10 0\n"
// expect output "8 5\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int word = 4;

static void *lock(void *unused) {
  int seen, done;
  do
    seen = word;
  while ((seen & 1) ||
         (!(done = atomic_compare_exchange_strong(&word, &seen, seen + 2)) &&
          seen != 5));
  return (void *)(long)(done ? 0 : seen);
}

int main(void) {
  pthread_t t;
  void *found;
  pthread_create(&t, 0, lock, 0);
  word = 5;
  word = 8;
  pthread_join(t, &found);
  printf("%d %ld\n", word, (long)found);
}
