// Threads with large frames, deep calls and a loop that waits at the bottom of
// them: what the frames hold survives other threads' steps and undo.
// expect output "3 3 3\n"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int go, turns;

static int descend(int n) {
  if (n) {
    int below = descend(n - 1);
    return below + (n == 7);
  }
  while (!atomic_load(&go)) {
  }
  return 2;
}

static void *work(void *unused) {
  (void)unused;
  char filled[9000];
  for (int i = 0; i < 9000; i++)
    filled[i] = (char)i;
  long result = descend(60);
  atomic_fetch_add(&turns, 1);
  for (int i = 0; i < 9000; i++)
    assert(filled[i] == (char)i);
  return (void *)result;
}

int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, 0, work, 0);
  atomic_fetch_add(&turns, 1);
  atomic_store(&go, 1);
  long mine = (long)work(0);
  pthread_join(t, &result);
  printf("%ld %ld %d\n", mine, (long)result, atomic_load(&turns));
}
