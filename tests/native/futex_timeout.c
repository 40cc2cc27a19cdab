// A wait with a time ends by it or by the wake, which says whether it woke a thread.
// Wrong times and addresses are errors.
// expect output "0 1\n"
// expect output "0 0\n"
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static unsigned word;

static void *waiter(void *result) {
  struct timespec length = {.tv_nsec = 1000000}, wrong = {.tv_nsec = -1};
  long code = syscall(SYS_futex, &word, FUTEX_WAIT, 0, &length, NULL, 0);
  int number = errno;
  *(int *)result = code == 0;
  if (code && number != ETIMEDOUT)
    printf("errno %d\n", number);
  if (syscall(SYS_futex, &word, FUTEX_WAIT, 0, &wrong, NULL, 0) != -1 ||
      errno != EINVAL)
    printf("a wrong time is accepted\n");
  if (syscall(SYS_futex, (char *)&word + 1, FUTEX_WAIT, 0, NULL) != -1 ||
      errno != EINVAL)
    printf("a wrong address is accepted\n");
  return NULL;
}

int main(void) {
  pthread_t t;
  int woken;
  pthread_create(&t, NULL, waiter, &woken);
  long number = syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
  pthread_join(t, NULL);
  printf("%d %d\n", number != woken, woken);
}
