// A wait at a futex ends with EINTR if a handler has run in it, and is ended by the
// wake if the handler ran before or behind it.
// expect output "interrupted\n"
// expect output "woken\n"
// expect output "not equal\n"
// counts differ: private steps are interrupted, too
// algorithms naive source optimal observers cs optimal-cs optimal-cs-ob unfold stateful
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_uint word;

static void handle(int number) {
  (void)number;
}

static void *waiter(void *unused) {
  long code = syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
  puts(!code            ? "woken"
       : errno == EINTR ? "interrupted"
       : errno == EAGAIN ? "not equal"
                        : "wrong");
  return unused;
}

int main(void) {
  pthread_t t;
  struct sigaction action = {.sa_handler = handle};
  sigaction(SIGUSR1, &action, NULL);
  pthread_create(&t, NULL, waiter, NULL);
  pthread_kill(t, SIGUSR1);
  word = 1;
  syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
  pthread_join(t, NULL);
}
