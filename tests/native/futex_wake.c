// Two threads wait at a futex until it is 1; a third sets it and wakes all, so that
// none waits for ever.  Each waiter either finds the word set or waits and is woken;
// two that wait have 2 orders: 1 + 1 + 1 + 2 executions (theory).
// expect optimal: executions 5, blocked 0
// expect source: executions 5
// expect output "0 0\n"
// expect output "0 1\n"
// expect output "1 0\n"
// expect output "1 1\n"
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
static int waited[2];

static void *waiter(void *result) {
  long code = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL);
  *(int *)result = code == 0;
  if (code && errno != EAGAIN)
    printf("%d\n", errno);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, waiter, &waited[i]);
  word = 1;
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  printf("%d %d\n", waited[0], waited[1]);
}
