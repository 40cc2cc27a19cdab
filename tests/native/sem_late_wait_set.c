// A thread waits for a semaphore only if it finds the flag set, which one of the two
// first executions does not show.  Two posts have 2 orders where no thread waits, and
// 2 * 2 with a wait behind the first or behind both: 6 (theory).
// expect optimal: executions 6, blocked 0
// expect source: executions 6
// expect unfold: executions 6, blocked 0
// expect output "1\n"
// expect output "2\n"
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>

static sem_t sem;
static atomic_int flag;

static void *raise_flag(void *unused) {
  flag = 1;
  return unused;
}

static void *waiter(void *unused) {
  if (flag == 1)
    sem_wait(&sem);
  return unused;
}

static void *poster(void *unused) {
  sem_post(&sem);
  return unused;
}

int main(void) {
  void *(*const run[])(void *) = {raise_flag, poster, poster, waiter};
  pthread_t t[4];
  int left;
  sem_init(&sem, 0, 0);
  for (int i = 0; i < 4; i++)
    pthread_create(&t[i], 0, run[i], 0);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], 0);
  sem_getvalue(&sem, &left);
  printf("%d\n", left);
}
