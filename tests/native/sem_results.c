// Every function on semaphores, in one thread: one execution.
// expect all: executions 1, blocked 0
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <semaphore.h>
#include <time.h>

int main(void) {
  sem_t sem;
  int value;
  struct timespec now = {0, 0}, wrong = {0, 1000000000};
  assert(sem_init(&sem, 0, (unsigned)INT_MAX + 1) == -1 && errno == EINVAL);
  assert(sem_init(&sem, 0, 1) == 0);
  assert(sem_getvalue(&sem, &value) == 0 && value == 1);
  assert(sem_wait(&sem) == 0);
  assert(sem_trywait(&sem) == -1 && errno == EAGAIN);
  assert(sem_timedwait(&sem, &now) == -1 && errno == ETIMEDOUT);
  assert(sem_timedwait(&sem, &wrong) == -1 && errno == EINVAL);
  assert(sem_clockwait(&sem, CLOCK_MONOTONIC, &now) == -1);
  assert(errno == ETIMEDOUT);
  assert(sem_post(&sem) == 0);
  assert(sem_getvalue(&sem, &value) == 0 && value == 1);
  assert(sem_trywait(&sem) == 0);
  assert(sem_destroy(&sem) == 0);
  assert(sem_init(&sem, 0, INT_MAX) == 0);
  assert(sem_post(&sem) == -1 && errno == EOVERFLOW);
}
