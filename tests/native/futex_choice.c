// A wake of one picks either of two threads that wait; a wake of one and a requeue of
// the other return both.  The third thread wakes only when both wait.
// real no: a wait that ends by itself is never counted, and main waits for it
// expect output "1 2\n"
// expect output "2 1\n"
// algorithms naive source optimal observers cs optimal-cs optimal-cs-ob unfold stateful pop
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static unsigned word, other;
static atomic_int order[2], place;

static void *waiter(void *mine) {
  syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 0, NULL, NULL, 1);
  *(atomic_int *)mine = ++place;
  return NULL;
}

int main(void) {
  pthread_t t[2];
  int left = 2;
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, waiter, &order[i]);
  /* None has these bits. */
  left -= (int)syscall(SYS_futex, &word, FUTEX_WAKE_BITSET, 2, NULL, NULL, 2);
  long both = syscall(SYS_futex, &word, FUTEX_CMP_REQUEUE, 1, 1L, &other, 0);
  while (both < 2) { /* rare: not both wait yet */
    both += syscall(SYS_futex, &word, FUTEX_CMP_REQUEUE, both ? 0 : 1, 1L,
                    &other, 0);
    sched_yield();
  }
  while (!place)
    sched_yield();
  syscall(SYS_futex, &other, FUTEX_WAKE, 1, NULL, NULL, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  printf("%d %d\n", order[0], order[1]);
  return left != 2;
}
