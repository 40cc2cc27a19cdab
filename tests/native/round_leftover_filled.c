// A variable of the thread is filled as a whole, and the loop begins right behind that.  What
// a round leaves there is read by the next one: the rounds matter.  The second thread fails
// 0 to 3 times and gets the lock, or it fails 4 times, and the two releases have two
// orders: 2 * (4 + 2) traces.
// expect optimal: executions 12, blocked 0
// expect output "0\n"
// expect output "1\n"
// algorithms dpor source optimal observers unfold
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

struct attempts {
  unsigned failed, unused;
};

static atomic_int lock, gave_up;

static void fail(struct attempts *a) {
  a->failed++;
}

static void *try(void *unused) {
  struct attempts a = {0};
  while (atomic_exchange(&lock, 1)) {
    fail(&a);
    if (a.failed > 3) {
      gave_up = 1;
      break;
    }
  }
  lock = 0;
  return unused;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, try, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  printf("%d\n", gave_up);
  return 0;
}
