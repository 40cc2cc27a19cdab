// The flag is set and the waiter woken before the waiter waits, without the comparison
// that a futex is for: it waits for ever.
// expect error deadlock
// expect message waits at futex word
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word, flag;

static void *waiter(void *unused) {
  while (!flag)
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waiter, NULL);
  flag = 1;
  syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
  pthread_join(t, NULL);
}
